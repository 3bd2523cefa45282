internal import ArgumentParser
internal import Batch
internal import SystemPackage
internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Prints text for the user: messages on standard error, tables on standard output, and the progress bar.
///
/// Lines may repeat content of files, responses and arguments. Such content is printed only through `printError` and
/// `print`, which escape invisible scalars.
enum Terminal {
    /// Prints a line to standard error.
    static func printError(_ line: String) { printError([line]) }

    /// Prints lines to standard error.
    static func printError(_ lines: [String]) { writeUnescaped(escapedText(of: lines)) }

    /// Prints lines to standard output.
    ///
    /// - Throws: `BatchError` if they cannot be written.
    static func print(_ lines: [String]) throws(BatchError) { try writeToStandardOutput(escapedText(of: lines).utf8) }

    /// Writes bytes to standard output without escaping them.
    ///
    /// - Throws: `BatchError` if they cannot be written.
    static func writeToStandardOutput(_ bytes: some Sequence<UInt8>) throws(BatchError) {
        do { _ = try FileDescriptor.standardOutput.writeAll(bytes) } catch {
            throw BatchError(.unwritable, message: "standard output can't be written: \(error)", cause: error)
        }
    }

    /// Writes text to standard error without escaping it. It must not contain content that was read.
    static func writeUnescaped(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

    private static func escapedText(of lines: [String]) -> String {
        lines.map { $0.escapingInvisibleScalars + "\n" }.joined()
    }

    static var isStandardErrorInteractive: Bool { isatty(FileDescriptor.standardError.rawValue) == 1 }
}
