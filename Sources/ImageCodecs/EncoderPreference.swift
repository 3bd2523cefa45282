/// The encoders that write JPEG files.
public enum EncoderPreference: String, CaseIterable, Sendable {
    /// The package's own encoder: about a fifth fewer bytes than libjpeg at equal visual quality.
    case compact
    /// libjpeg, with its default quantization tables.
    case libjpeg
}
