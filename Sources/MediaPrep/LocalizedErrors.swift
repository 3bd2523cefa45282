public import AudioProbe
public import ImageCodecs

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MediaError: LocalizedError {
    /// The sentence, with the file's name if there is one: what `localizedDescription` returns.
    public var errorDescription: String? { "\(fileName.map { $0 + ": " } ?? "")\(message)" }
}

// Here, since their modules import no Foundation.

extension AudioError: LocalizedError {
    /// The sentence: what `localizedDescription` returns.
    public var errorDescription: String? { message }
}

extension CodecError: LocalizedError {
    /// The sentence: what `localizedDescription` returns.
    public var errorDescription: String? { message }
}
