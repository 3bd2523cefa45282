// `unsafe`: the process's arguments, which C keeps.

internal import ArgumentParser
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A path as it was given: bytes, which need not be UTF-8.
struct PathArgument: ExpressibleByArgument {
    let path: FilePath

    init?(argument: String) {
        guard !argument.isEmpty, let path = FilePath(bytes: RawArguments.decodedBytes(from: argument)) else {
            return nil
        }
        self.path = path
    }

    static var defaultCompletionKind: CompletionKind { .file() }
}

/// The process's arguments, as text from which their bytes can be had again: the parser takes text alone, and Swift's
/// own `CommandLine.arguments` repairs what is not UTF-8, so that the file would not be found.
///
/// A byte that belongs to no character becomes the scalar U+10FF00 and its value. Characters from there on, which
/// nobody uses, are taken byte by byte too, so that every scalar from there on stands for one byte.
enum RawArguments {
    private static let byteEscapeScalars: ClosedRange<UInt32> = 0x10_FF00...0x10_FFFF

    /// Without the program's own name.
    static var all: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            unsafe CommandLine.unsafeArgv[index].map {
                encodedText(from: unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))))
            }
        }
    }

    static func encodedText(from bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        var rest = bytes[...]
        while let byte = rest.first {
            let scalar = (1...4).lazy.compactMap { Self.singleScalar(in: rest.prefix($0)) }.first
            if let scalar, !byteEscapeScalars.contains(scalar.value) {
                text.append(scalar)
                rest.removeFirst(UTF8.width(scalar))
            } else {
                if let escape = Unicode.Scalar(byteEscapeScalars.lowerBound + UInt32(byte)) { text.append(escape) }
                rest.removeFirst()
            }
        }
        return String(text)
    }

    static func decodedBytes(from text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            byteEscapeScalars.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// The argument with each line end as the scalar that stands for its byte.
    static func escapingLineEnds(in argument: String) -> String {
        let marked = argument.unicodeScalars.map {
            $0 == "\n" ? Unicode.Scalar(byteEscapeScalars.lowerBound + 0x0A) ?? $0 : $0
        }
        return String(String.UnicodeScalarView(marked))
    }

    /// The lines of a message that repeats arguments as the parser sees them, with these as they were given.
    static func decodedLines(ofMessage message: String) -> [String] {
        message.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            String(decoding: decodedBytes(from: String($0)), as: UTF8.self)
        }
    }

    /// The one character that `decodedBytes` are; nil if they are none, or more.
    private static func singleScalar(in bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let scalars = String(validating: bytes, as: UTF8.self)?.unicodeScalars, scalars.count == 1 else {
            return nil
        }
        return scalars.first
    }
}
