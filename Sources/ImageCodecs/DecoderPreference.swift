/// The decoders that read JPEG and PNG files. Their results are identical.
public enum DecoderPreference: Sendable {
    /// The package's own decoders for the files that they support, on every little-endian 64-bit processor; libjpeg and
    /// libpng for all others.
    case fastest
    /// libjpeg and libpng for all files.
    case systemLibraries
}
