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
