internal import Batch
internal import MediaPrep
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A JSON file with the rules of a policy.
struct PolicyFile {
    /// The maximum size of the file, in bytes.
    private static let maxByteCount = 1 << 20

    var path: FilePath

    /// Reads the policy.
    ///
    /// - Throws: `BatchError` if the file cannot be read, or its content is not a policy.
    func readPolicy<Policy: Decodable>(_ type: Policy.Type) throws(BatchError) -> Policy {
        do {
            var file = try SourceFile(path: path.bytes)
            return try JSONDecoder().decode(type, from: Data(try file.readContents(limit: Self.maxByteCount)))
        } catch let error as DecodingError {
            throw BatchError(.invalidOption, message: "the policy \(path) is invalid: \(Self.message(for: error))")
        } catch let error as MediaError {
            throw BatchError(.unreadable, message: "the policy \(path) can't be read: \(error.message)")
        } catch {
            throw BatchError(.unreadable, message: "the policy \(path) can't be read: \(error)", cause: error)
        }
    }

    private static func message(for error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): message("'\(key.stringValue)' is missing", at: context.codingPath)
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            message("the value has a wrong type", at: context.codingPath)
        // An error of the parser, which also reports numbers that are out of range.
        case .dataCorrupted(let context) where context.underlyingError != nil || context.codingPath.isEmpty:
            message("the JSON is invalid, or a number in it is out of range", at: context.codingPath)
        case .dataCorrupted(let context): message(context.debugDescription, at: context.codingPath)
        @unknown default: "\(error)"
        }
    }

    private static func message(_ text: String, at path: [any CodingKey]) -> String {
        path.isEmpty ? text : path.map(\.stringValue).joined(separator: ".") + ": " + text
    }
}
