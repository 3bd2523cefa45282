internal import Batch
internal import HTTPCalls
internal import JSONValues
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The manifest line of a prepared file, to which the result of its upload is added.
enum UploadLine: Sendable {
    /// A result of this run, which is encoded only when it is printed.
    case result(ManifestLine)
    /// A line of an earlier run or of a manifest, without its terminator. Members that are not known here are kept.
    case stored([UInt8])

    /// Returns the line in JSON without its terminator.
    ///
    /// - Throws: `EncodingError` if a number is not finite.
    func json() throws -> [UInt8] {
        switch self {
        case .result(let line): try line.jsonLine().dropLast()
        case .stored(let bytes): bytes
        }
    }

    /// Returns the line in JSON with the result of the upload, without its terminator.
    ///
    /// - Parameters:
    ///   - result: The result of the upload.
    ///   - keepsOutput: Whether the prepared file is kept.
    /// - Throws: `DecodingError` if a stored line is not JSON.
    func json(addingUpload result: UploadResult, keepsOutput: Bool) throws -> [UInt8] {
        switch self {
        case .result(var line):
            line.upload = .object(result.jsonMembers)
            if !keepsOutput { line.output = nil }
            return try line.jsonLine().dropLast()
        case .stored(let bytes):
            guard case .object(var members) = try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
                return bytes
            }
            members["upload"] = .object(result.jsonMembers)
            if !keepsOutput {
                members["output"] = .null
                members["output_base64"] = nil
            }
            return [UInt8](try JSONValue.object(members).encodedJSON())
        }
    }
}

extension UploadResult {
    fileprivate var jsonMembers: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "status": .string(status.rawValue), "id": serverID.map(JSONValue.string) ?? .null,
            "attempts": .integer(Int64(attemptCount)), "bytes_sent": .integer(bytesSent),
        ]
        members["duplicate_of"] = originalItemName.map(JSONValue.string)
        members["reason"] = error.map { .object($0.jsonMembers) }
        return members
    }
}

extension CallError {
    fileprivate var jsonMembers: [String: JSONValue] {
        var members: [String: JSONValue] = ["code": .string(code.rawValue), "message": .string(message)]
        members["status"] = status.map { .integer(Int64($0)) }
        members["server_code"] = serverMessage?.code.map(JSONValue.string)
        members["server_details"] = serverMessage?.details.map(JSONValue.string)
        return members
    }
}
