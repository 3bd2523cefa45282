internal import ArgumentParser
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Standard error: messages, and the progress bar where it is a terminal.
enum Terminal {
    static func printError(_ text: String) { write(text + "\n") }

    static func write(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

    static var isInteractive: Bool { isatty(FileDescriptor.standardError.rawValue) == 1 }
}

/// When the progress bar is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    var isShown: Bool {
        switch self {
        case .auto: Terminal.isInteractive
        case .always: true
        case .never: false
        }
    }
}

/// A line that is drawn over itself, at most ten times a second.
struct ProgressBar: Sendable {
    private static let width = 30

    private let total: Int
    private var lastDrawn: ContinuousClock.Instant?

    init(total: Int) { self.total = total }

    mutating func update(done: Int) {
        let now = ContinuousClock.now
        if let lastDrawn, now - lastDrawn < .milliseconds(100), done < total { return }
        lastDrawn = now
        let filled = total == 0 ? Self.width : done * Self.width / total
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        Terminal.write("\r[\(bar)] \(done)/\(total)")
    }

    /// Leaves an empty line for something else.
    func clear() {
        if lastDrawn != nil { Terminal.write("\r\u{1B}[K") }
    }
}
