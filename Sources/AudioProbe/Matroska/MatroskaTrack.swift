/// An entry of Tracks: RFC 9559, section 5.1.4.
struct MatroskaTrack {
    /// The number of the track in blocks.
    var trackNumber = 0
    /// The type: 1 is video, 2 is audio.
    var trackType = 0
    var isEnabled = true
    var codecID = ""
    /// The codec's initialization data; empty if there is none or it cannot be read.
    var codecPrivate: [UInt8] = []
    /// The range of `codecPrivate` in the file, or `nil` if it is stored in another form.
    var codecPrivateRange: Range<Int>?
    /// Nanoseconds per frame if all frames have the same duration, or `nil`.
    var defaultDuration: Int?
    /// Nanoseconds at the beginning that the decoder discards, or `nil`.
    var codecDelay: Int?
    /// Samples per second before SBR, in Hz. The default is 8000.
    var samplingFrequency = 8000
    /// Samples per second after SBR in Hz, or `nil` if it is not stated.
    var outputSamplingFrequency: Int?
    var channels = 1
    var bitDepth: Int?
    var contentEncoding = ContentEncoding()
    /// The range of the track's name, which may be that of a person.
    var nameRange: Range<Int>?
    /// The range of the entry.
    let range: Range<Int>

    var isAudio: Bool { trackType == 2 }

    init(trackEntry entry: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker)
        throws(AudioError)
    {
        range = entry.range
        var position = entry.contentOffset
        while let child = try walker.nextElement(position: &position, before: entry.endOffset, in: &reader) {
            switch child.id {
            case MatroskaElementID.trackNumber: trackNumber = try child.readClampedInteger(in: &reader) ?? 0
            case MatroskaElementID.trackType: trackType = try child.readClampedInteger(in: &reader) ?? 0
            case MatroskaElementID.flagEnabled: isEnabled = try child.readClampedInteger(in: &reader) != 0
            case MatroskaElementID.codecID: codecID = try child.readText(in: &reader) ?? ""
            case MatroskaElementID.codecPrivate:
                guard let bytes = try child.readContent(in: &reader) else { continue }
                codecPrivate = bytes
                codecPrivateRange = child.contentOffset..<child.endOffset
            case MatroskaElementID.defaultDuration:
                defaultDuration = try child.readClampedInteger(in: &reader).flatMap(Self.plausibleDuration)
            case MatroskaElementID.codecDelay:
                codecDelay = try child.readClampedInteger(in: &reader).flatMap(Self.plausibleDuration)
            case MatroskaElementID.audio: try readAudioSettings(child, in: &reader, walker: &walker)
            case MatroskaElementID.contentEncodings:
                contentEncoding = try ContentEncoding(contentEncodings: child, in: &reader, walker: &walker)
            case MatroskaElementID.trackName where child.contentSize != 0: nameRange = child.range
            default: break
            }
        }
        let stored = codecPrivate.count
        codecPrivate = contentEncoding.restoreCodecPrivate(codecPrivate)
        if codecPrivate.count != stored { codecPrivateRange = nil }
    }

    /// Returns the nanoseconds of a delay or of a frame if they are plausible: more than 0 and at most an hour.
    private static func plausibleDuration(nanoseconds: Int) -> Int? {
        (1...3_600_000_000_000).contains(nanoseconds) ? nanoseconds : nil
    }

    private mutating func readAudioSettings(
        _ audio: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = audio.contentOffset
        while let child = try walker.nextElement(position: &position, before: audio.endOffset, in: &reader) {
            switch child.id {
            case MatroskaElementID.samplingFrequency:
                samplingFrequency = try Self.readSampleRate(child, in: &reader) ?? 0
            case MatroskaElementID.outputSamplingFrequency:
                outputSamplingFrequency = try Self.readSampleRate(child, in: &reader)
            case MatroskaElementID.channels: channels = try child.readClampedInteger(in: &reader) ?? 0
            case MatroskaElementID.bitDepth: bitDepth = try child.readClampedInteger(in: &reader)
            default: break
            }
        }
    }

    /// Returns a sample rate in Hz, or `nil` if it is implausible. The fastest in use is that of DSD, 22,579,200 Hz.
    private static func readSampleRate(_ element: EBMLElement, in reader: inout BufferedFileReader) throws(AudioError)
        -> Int?
    {
        guard let value = try element.readFloatingPoint(in: &reader)?.rounded(), (1...50_000_000).contains(value) else {
            return nil
        }
        return Int(value)
    }
}

/// The encoding of a track's frames before they were stored: RFC 9559, section 5.1.4.1.31.
struct ContentEncoding {
    /// Whether the encoding applies to frames, and whether it applies to CodecPrivate.
    private var appliesToFrames = false, appliesToCodecPrivate = false
    /// The bytes that were stripped from the beginning of all encoded data.
    ///
    /// It is `nil` for any other encoding, where the stored bytes cannot be read.
    private var strippedHeader: [UInt8]? = []

    /// The greatest number of stripped bytes. Writers strip the header of a frame, which has a few bytes.
    private static let maxStrippedLength = 256

    /// Creates an encoding that leaves the data as it is.
    init() {}

    init(contentEncodings encodings: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker)
        throws(AudioError)
    {
        var position = encodings.contentOffset, count = 0
        while let child = try walker.nextElement(position: &position, before: encodings.endOffset, in: &reader) {
            guard child.id == MatroskaElementID.contentEncoding else { continue }
            try readEncoding(child, in: &reader, walker: &walker)
            count += 1
        }
        // Several encodings must be undone in the stated order. No known writer uses them.
        if count > 1 { strippedHeader = nil }
    }

    /// The bytes to insert before every frame.
    var framePrefix: [UInt8] { appliesToFrames ? strippedHeader ?? [] : [] }
    /// Whether frames are encrypted or compressed, so that their first bytes cannot be read.
    var makesFramesUnreadable: Bool { appliesToFrames && strippedHeader == nil }
    /// Returns the original CodecPrivate, or an empty array if it cannot be read.
    func restoreCodecPrivate(_ codecPrivate: [UInt8]) -> [UInt8] {
        appliesToCodecPrivate ? strippedHeader.map { $0 + codecPrivate } ?? [] : codecPrivate
    }

    private mutating func readEncoding(
        _ encoding: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        // By default, only frames are encoded, with zlib compression.
        var scope = 1, isEncryption = false, algorithm = 0, settings: [UInt8] = []
        var position = encoding.contentOffset
        while let child = try walker.nextElement(position: &position, before: encoding.endOffset, in: &reader) {
            switch child.id {
            case MatroskaElementID.contentEncodingScope: scope = try child.readClampedInteger(in: &reader) ?? 1
            case MatroskaElementID.contentEncodingType: isEncryption = try child.readClampedInteger(in: &reader) != 0
            case MatroskaElementID.contentCompression:
                var inner = child.contentOffset
                while let part = try walker.nextElement(position: &inner, before: child.endOffset, in: &reader) {
                    if part.id == MatroskaElementID.contentCompAlgo {
                        algorithm = try part.readClampedInteger(in: &reader) ?? 0
                    }
                    if part.id == MatroskaElementID.contentCompSettings {
                        settings = try part.readContent(in: &reader) ?? []
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
