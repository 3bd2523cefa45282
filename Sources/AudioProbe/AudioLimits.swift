/// What a file may ask for. All of it is checked before memory or time is spent on it; a count or size in a file never
/// allocates by itself.
public struct AudioLimits: Hashable, Encodable, Sendable {
    /// Boxes, elements or chunks inside one another: 32. Real files have 10.
    public var nesting = 32
    /// Boxes, elements, chunks, tags and headers of Ogg that are walked one by one: 2 million. Matroska's clusters and
    /// blocks and Ogg's pages are not counted. Four hours of MP4 in fragments of 100 ms have 1,008,000.
    public var elements = 2_000_000
    /// Tracks, streams and joined recordings: 10,000 of each.
    public var tracks = 10_000
    /// Bytes of a header that are looked at as one: 1 MiB, such as codec set-up data. Pictures in tags are skipped, not
    /// read.
    public var headerBytes = 1 << 20
    /// Bytes of sound searched for a lost frame before giving up: 4 MiB.
    public var searchBytes = 4 << 20
    /// Bytes that are read of a file to find its duration: 16 GiB, eight times a recording of 2 GB, and half a minute
    /// at 500 MB/s. A sparse file may claim far more. Bytes that a scan passes over don't count.
    ///
    /// Behind the limit, the duration is an estimate, and there is the warning `scan-limit`: frames of MPEG audio, ADTS
    /// and AMR are scaled up to the whole file, and for other containers the header is believed. A file in which
    /// nothing states a duration is refused as `limit-exceeded`. No recording of the formats with sizes of 32 bits
    /// reaches the limit.
    public var scannedBytes = 16 << 30

    /// Samples that are decoded to measure levels: 10 thousand million, 29 hours of stereo at 48 kHz. A FLAC file of 16
    /// MB can claim as many zeros.
    public var decodedSamples = 10_000_000_000

    /// The defaults.
    public init() {}
}

/// How a recording is looked at.
public struct ProbeOptions: Hashable, Sendable {
    /// Whether to believe the header, or to estimate, instead of counting frames.
    public var isQuick = false
    /// What a file may ask for.
    public var limits = AudioLimits()

    /// The defaults: count whatever can be counted.
    public init() {}
}
