public import AudioProbe
public import ImageCodecs

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MediaError: LocalizedError {
    /// The message, after the file's name if there is one. `localizedDescription` returns it.
    public var errorDescription: String? { "\(fileName.map { $0 + ": " } ?? "")\(message)" }
}

// These conformances are here because the modules of the types do not import Foundation.

extension AudioError: LocalizedError {
    /// The message. `localizedDescription` returns it.
    public var errorDescription: String? { message }
}

extension CodecError: LocalizedError {
    /// The message. `localizedDescription` returns it.
    public var errorDescription: String? { message }
}
