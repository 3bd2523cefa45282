/// The kind of media of an input.
public enum MediaKind: String, Codable, CaseIterable, Sendable {
    /// An image, or an unsupported image format.
    case image
    /// Audio, or an unsupported format of audio or video.
    case audio
    /// Neither an image nor audio. Only a batch reports files of this kind.
    case other
}
