/// An entry of Tracks: RFC 9559, section 5.1.4.
struct MatroskaTrack {
    /// The number that blocks carry.
    var trackNumber = 0
    /// 1 is video, 2 is sound.
    var trackType = 0
    var isEnabled = true
    var codecID = ""
    /// What the codec needs before the first frame; empty if there is nothing, or it can't be read.
    var codecPrivate: [UInt8] = []
    /// Where it stands in the file; nil if what stands there is another form of it.
    var codecPrivateRange: Range<Int>?
    /// Nanoseconds of each frame, if all have as many.
    var defaultDuration: Int?
    /// Nanoseconds at the beginning that the decoder leaves out.
    var codecDelay: Int?
    /// Samples a second before and behind a decoder that replicates bands. The first is 8000 where nothing is said.
    var samplingFrequency = 8000
    var outputSamplingFrequency: Int?
    var channels = 1
    var bitDepth: Int?
    var contentEncoding = ContentEncoding()
    /// The bytes of its name, which may be a person's.
    var nameRange: Range<Int>?
    /// All of the entry.
    let range: Range<Int>

    var isAudio: Bool { trackType == 2 }

    init(trackEntry entry: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker)
        throws(AudioError)
    {
        range = entry.range
        var position = entry.contentOffset
        while let child = try walker.nextElement(position: &position, before: entry.endOffset, in: &window) {
            switch child.id {
            case MatroskaElementID.trackNumber: trackNumber = try child.readClampedInteger(in: &window) ?? 0
            case MatroskaElementID.trackType: trackType = try child.readClampedInteger(in: &window) ?? 0
            case MatroskaElementID.flagEnabled: isEnabled = try child.readClampedInteger(in: &window) != 0
            case MatroskaElementID.codecID: codecID = try child.readText(in: &window) ?? ""
            case MatroskaElementID.codecPrivate:
                guard let bytes = try child.readContent(in: &window) else { continue }
                codecPrivate = bytes
                codecPrivateRange = child.contentOffset..<child.endOffset
            case MatroskaElementID.defaultDuration:
                defaultDuration = try child.readClampedInteger(in: &window).flatMap(Self.plausibleDuration)
            case MatroskaElementID.codecDelay:
                codecDelay = try child.readClampedInteger(in: &window).flatMap(Self.plausibleDuration)
            case MatroskaElementID.audio: try readAudioSettings(child, in: &window, walker: &walker)
            case MatroskaElementID.contentEncodings:
                contentEncoding = try ContentEncoding(contentEncodings: child, in: &window, walker: &walker)
            case MatroskaElementID.trackName where child.contentSize != 0: nameRange = child.range
            default: break
            }
        }
        let stored = codecPrivate.count
        codecPrivate = contentEncoding.restoreCodecPrivate(codecPrivate)
        if codecPrivate.count != stored { codecPrivateRange = nil }
    }

    /// Nanoseconds of a delay or of a frame: none is longer than an hour, nor are any that last nothing.
    private static func plausibleDuration(nanoseconds: Int) -> Int? {
        (1...3_600_000_000_000).contains(nanoseconds) ? nanoseconds : nil
    }

    private mutating func readAudioSettings(
        _ audio: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = audio.contentOffset
        while let child = try walker.nextElement(position: &position, before: audio.endOffset, in: &window) {
            switch child.id {
            case MatroskaElementID.samplingFrequency:
                samplingFrequency = try Self.readSampleRate(child, in: &window) ?? 0
            case MatroskaElementID.outputSamplingFrequency:
                outputSamplingFrequency = try Self.readSampleRate(child, in: &window)
            case MatroskaElementID.channels: channels = try child.readClampedInteger(in: &window) ?? 0
            case MatroskaElementID.bitDepth: bitDepth = try child.readClampedInteger(in: &window)
            default: break
            }
        }
    }

    /// Nil if no recorder has that rate: DSD, the fastest, has 22,579,200.
    private static func readSampleRate(_ element: EBMLElement, in reader: inout BufferedFileReader) throws(AudioError)
        -> Int?
    {
        guard let value = try element.readFloatingPoint(in: &reader)?.rounded(), (1...50_000_000).contains(value) else {
            return nil
        }
        return Int(value)
    }
}

/// What was done to a track's frames before they were stored: RFC 9559, section 5.1.4.1.31.
struct ContentEncoding {
    /// Whether frames, and CodecPrivate, were treated.
    private var appliesToFrames = false, appliesToCodecPrivate = false
    /// Bytes that all that was treated begins with, and that aren't stored; nil if the treatment was another, so that
    /// what is stored says nothing.
    private var strippedHeader: [UInt8]? = []

    /// What writers strip is a header of a frame, of a few bytes.
    private static let maxStrippedLength = 256

    /// Nothing was done to them.
    init() {}

    init(contentEncodings encodings: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker)
        throws(AudioError)
    {
        var position = encodings.contentOffset, count = 0
        while let child = try walker.nextElement(position: &position, before: encodings.endOffset, in: &window) {
            guard child.id == MatroskaElementID.contentEncoding else { continue }
            try readEncoding(child, in: &window, walker: &walker)
            count += 1
        }
        // Several would have to be undone in an order that is stated, too; no writer is known to use them.
        if count > 1 { strippedHeader = nil }
    }

    /// What is to be put in front of every frame.
    var framePrefix: [UInt8] { appliesToFrames ? strippedHeader ?? [] : [] }
    /// Whether frames are encrypted, or compressed so that their first bytes say nothing.
    var makesFramesUnreadable: Bool { appliesToFrames && strippedHeader == nil }
    /// CodecPrivate as it was; empty if it is hidden.
    func restoreCodecPrivate(_ codecPrivate: [UInt8]) -> [UInt8] {
        appliesToCodecPrivate ? strippedHeader.map { $0 + codecPrivate } ?? [] : codecPrivate
    }

    private mutating func readEncoding(
        _ encoding: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        // By default all frames, and they alone, are compressed by zlib.
        var scope = 1, isEncryption = false, algorithm = 0, settings: [UInt8] = []
        var position = encoding.contentOffset
        while let child = try walker.nextElement(position: &position, before: encoding.endOffset, in: &window) {
            switch child.id {
            case MatroskaElementID.contentEncodingScope: scope = try child.readClampedInteger(in: &window) ?? 1
            case MatroskaElementID.contentEncodingType: isEncryption = try child.readClampedInteger(in: &window) != 0
            case MatroskaElementID.contentCompression:
                var inner = child.contentOffset
                while let part = try walker.nextElement(position: &inner, before: child.endOffset, in: &window) {
                    if part.id == MatroskaElementID.contentCompAlgo {
                        algorithm = try part.readClampedInteger(in: &window) ?? 0
                    }
                    if part.id == MatroskaElementID.contentCompSettings {
                        settings = try part.readContent(in: &window) ?? []
                    }
                }
            default: break
            }
        }
        if scope & 1 != 0 { appliesToFrames = true }
        if scope & 2 != 0 { appliesToCodecPrivate = true }
        // Algorithm 3 is header stripping.
        strippedHeader = !isEncryption && algorithm == 3 && settings.count <= Self.maxStrippedLength ? settings : nil
    }
}
