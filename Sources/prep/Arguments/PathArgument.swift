// `unsafe`: reads the process's arguments, which are C strings.

internal import ArgumentParser
internal import Batch
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A path as it was given. Its bytes need not be UTF-8.
struct PathArgument: ExpressibleByArgument {
    let path: FilePath

    init?(argument: String) {
        guard !argument.isEmpty, let path = FilePath(bytes: LosslessArguments.decodedBytes(from: argument)) else {
            return nil
        }
        self.path = path
    }

    static var defaultCompletionKind: CompletionKind { .file() }
}

/// The process's arguments as text from which the original bytes can be recovered.
///
/// The argument parser takes only text, and `CommandLine.arguments` replaces invalid UTF-8, so that a file of such a
/// name would not be found.
///
/// Each byte that is not part of a valid character becomes the scalar U+10FF00 plus the byte's value. Scalars from
/// U+10FF00 on, which have no standard meaning, are themselves encoded byte by byte. Therefore, every scalar in that
/// range represents one byte.
enum LosslessArguments {
    private static let byteEscapeScalars: ClosedRange<UInt32> = 0x10_FF00...0x10_FFFF

    /// The arguments without the program's name.
    static var all: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            unsafe CommandLine.unsafeArgv[index].map {
                encodedText(from: unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))))
            }
        }
    }

    /// Returns the text that represents `bytes`.
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

    /// Returns the bytes that `text` represents. This is the inverse of `encodedText(from:)`.
    static func decodedBytes(from text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            byteEscapeScalars.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// Returns the argument with each line feed replaced by the scalar that represents its byte.
    static func escapingLineEnds(in argument: String) -> String {
        let marked = argument.unicodeScalars.map {
            $0 == "\n" ? Unicode.Scalar(byteEscapeScalars.lowerBound + 0x0A) ?? $0 : $0
        }
        return String(String.UnicodeScalarView(marked))
    }

    /// Returns the lines of a parser message, with the arguments in it decoded to their original text.
    static func decodedLines(ofMessage message: String) -> [String] {
        message.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            String(decoding: decodedBytes(from: String($0)), as: UTF8.self)
        }
    }

    /// Returns the scalar that `bytes` encode in UTF-8, or `nil` if they are not exactly one scalar.
    private static func singleScalar(in bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let scalars = String(validating: bytes, as: UTF8.self)?.unicodeScalars, scalars.count == 1 else {
            return nil
        }
        return scalars.first
    }
}
