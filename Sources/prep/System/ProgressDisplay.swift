internal import ArgumentParser
internal import MediaPrep

/// When progress is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    /// How progress is shown; nil for not at all.
    ///
    /// - Parameter progress: where the run begins.
    func display(_ progress: MediaProgress) -> ProgressDisplay? {
        switch self {
        case .auto: ProgressDisplay(progress, style: Terminal.isInteractive ? .bar : .lines)
        case .always: ProgressDisplay(progress, style: .bar)
        case .never: nil
        }
    }
}

/// How far the work is, on standard error: a line that is drawn over itself, or where no terminal is one now and then.
struct ProgressDisplay: Sendable {
    enum Style { case bar, lines }

    private static let width = 30

    private var progress: MediaProgress
    private let style: Style
    /// When it was last drawn, or when the work began.
    private var lastDrawn = ContinuousClock.now
    private var isDrawn = false

    init(_ progress: MediaProgress, style: Style) {
        self.progress = progress
        self.style = style
    }

    /// A bar follows the eye, at ten times a second; lines are for logs.
    private var interval: Duration { style == .bar ? .milliseconds(100) : .seconds(10) }

    /// Counts one more input of so many bytes.
    mutating func add(bytes: Int) {
        progress.recordCompletion(byteCount: bytes)
        let now = ContinuousClock.now
        let isLast = style == .bar && progress.completedFiles == progress.totalFiles
        guard isLast || now - lastDrawn >= interval else { return }
        lastDrawn = now
        isDrawn = true
        Terminal.write(style == .bar ? "\r" + bar + text(at: now) + "\u{1B}[K" : "prep: " + text(at: now) + "\n")
    }

    /// Leaves an empty line for something else.
    mutating func clear() {
        if isDrawn, style == .bar { Terminal.write("\r\u{1B}[K") }
        isDrawn = false
    }

    private var bar: String {
        let total = max(1, progress.totalFiles ?? 1)
        let filled = min(progress.completedFiles, total) * Self.width / total
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled) + "] "
    }

    /// `120/400 files, 35.2 MB/s, 1 min 20 s left`
    private func text(at now: ContinuousClock.Instant) -> String {
        let speed = Decimal.text(progress.throughput(at: now).bytes / 1e6, digits: 1)
        let left = progress.estimatedTimeRemaining(at: now).map { ", \(Self.text($0)) left" } ?? ""
        return "\(progress.completedFiles)/\(progress.totalFiles ?? 0) files, \(speed) MB/s\(left)"
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = max(1, duration.components.seconds)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
