/// Limits on the resources that a file can use.
///
/// Every limit is checked before memory or time is spent. A count or size in a file never allocates by itself.
public struct AudioLimits: Hashable, Encodable, Sendable {
    /// The greatest depth of nested boxes, elements or chunks: 32. Real files reach 10.
    public var nesting = 32
    /// The greatest number of boxes, elements, chunks, tags and Ogg headers: 2 million.
    ///
    /// Matroska clusters and blocks and Ogg pages are not counted. Four hours of MP4 in fragments of 100 ms have
    /// 1,008,000.
    public var elements = 2_000_000
    /// The greatest number of tracks, of streams, and of joined streams: 10,000 each.
    public var tracks = 10_000
    /// The greatest number of bytes of a header that are read as one, such as codec setup data: 1 MiB.
    ///
    /// Images in tags are skipped and not read.
    public var headerBytes = 1 << 20
    /// The greatest number of bytes that are searched for the next frame after damage: 4 MiB.
    public var searchBytes = 4 << 20
    /// The greatest number of bytes that are read to find the duration of one file: 16 GiB.
    ///
    /// This is eight times a file of 2 GB, and takes half a minute at 500 MB/s. A sparse file can claim far more. Bytes
    /// that a scan skips do not count. No file of a format with 32-bit sizes reaches the limit.
    ///
    /// At the limit, the duration becomes an estimate with the warning `Diagnostic.Code.scanLimit`. For MPEG audio,
    /// ADTS and AMR, the scanned duration is extrapolated to the whole file. For other containers, the header's
    /// duration is used. A file without a stated duration is rejected with ``AudioError/Code/limitExceeded``.
    public var scannedBytes = 16 << 30

    /// The greatest number of samples that are decoded to measure levels: 10^10, which is 29 hours of stereo at 48 kHz.
    ///
    /// A FLAC file of 16 MB can claim as many zero samples.
    public var decodedSamples = 10_000_000_000

    /// Creates the default limits.
    public init() {}
}

/// Options for probing a file.
public struct ProbeOptions: Hashable, Sendable {
    /// Whether to use the header's duration or an estimate, instead of counting frames.
    public var isQuick = false
    /// The limits on the resources that the file can use.
    public var limits = AudioLimits()

    /// Creates the default options: count everything that can be counted.
    public init() {}
}
