internal import ArgumentParser
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Text for people: messages on standard error, tables on standard output, and the progress bar.
///
/// Lines may repeat what files, servers and arguments say. They go out only through `printError` and `print`, which
/// show invisible scalars by their numbers.
enum Terminal {
    /// Prints a line to standard error.
    static func printError(_ line: String) { printError([line]) }

    /// Prints lines to standard error.
    static func printError(_ lines: [String]) { writeUnescaped(escapedText(of: lines)) }

    /// Prints lines to standard output.
    ///
    /// - Throws: the system's error.
    static func print(_ lines: [String]) throws {
        _ = try FileDescriptor.standardOutput.writeAll(escapedText(of: lines).utf8)
    }

    /// Writes text to standard error as it is. It must hold nothing that was read.
    static func writeUnescaped(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

    private static func escapedText(of lines: [String]) -> String {
        lines.map { $0.escapingInvisibleScalars + "\n" }.joined()
    }

    static var isStandardErrorInteractive: Bool { isatty(FileDescriptor.standardError.rawValue) == 1 }
}
