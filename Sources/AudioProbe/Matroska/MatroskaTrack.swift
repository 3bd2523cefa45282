/// An entry of Tracks: RFC 9559, section 5.1.4.
struct MatroskaTrack {
    /// The number that blocks carry.
    var number = 0
    /// 1 is video, 2 is sound.
    var type = 0
    var isEnabled = true
    var codecID = ""
    /// What the codec needs before the first frame; empty if there is nothing, or it can't be read.
    var codecPrivate: [UInt8] = []
    /// Where it stands in the file; nil if what stands there is another form of it.
    var codecPrivateContent: Range<Int>?
    /// Nanoseconds of each frame, if all have as many.
    var defaultDuration: Int?
    /// Nanoseconds at the beginning that the decoder leaves out.
    var codecDelay: Int?
    /// Samples a second before and behind a decoder that replicates bands. The first is 8000 where nothing is said.
    var samplingFrequency = 8000
    var outputSamplingFrequency: Int?
    var channels = 1
    var bitDepth: Int?
    var encoding = ContentEncoding()
    /// The bytes of its name, which may be a person's.
    var name: Range<Int>?
    /// All of the entry.
    let range: Range<Int>

    var isAudio: Bool { type == 2 }

    init(_ entry: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader) throws(AudioError) {
        range = entry.range
        var position = entry.content
        while let child = try reader.next(&position, before: entry.end, in: &window) {
            switch child.id {
            case MatroskaID.trackNumber: number = try child.integer(&window) ?? 0
            case MatroskaID.trackType: type = try child.integer(&window) ?? 0
            case MatroskaID.flagEnabled: isEnabled = try child.integer(&window) != 0
            case MatroskaID.codecID: codecID = try child.text(&window) ?? ""
            case MatroskaID.codecPrivate:
                guard let bytes = try child.bytes(&window) else { continue }
                codecPrivate = bytes
                codecPrivateContent = child.content..<child.end
            case MatroskaID.defaultDuration: defaultDuration = try child.integer(&window).flatMap(Self.plausible)
            case MatroskaID.codecDelay: codecDelay = try child.integer(&window).flatMap(Self.plausible)
            case MatroskaID.audio: try readAudio(child, in: &window, &reader)
            case MatroskaID.contentEncodings: encoding = try ContentEncoding(child, in: &window, &reader)
            case MatroskaID.trackName where child.size != 0: name = child.range
            default: break
            }
        }
        let stored = codecPrivate.count
        codecPrivate = encoding.restored(codecPrivate)
        if codecPrivate.count != stored { codecPrivateContent = nil }
    }

    /// Nanoseconds of a delay or of a frame: none is longer than an hour, nor are any that last nothing.
    private static func plausible(_ nanoseconds: Int) -> Int? {
        (1...3_600_000_000_000).contains(nanoseconds) ? nanoseconds : nil
    }

    private mutating func readAudio(
        _ audio: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        var position = audio.content
        while let child = try reader.next(&position, before: audio.end, in: &window) {
            switch child.id {
            case MatroskaID.samplingFrequency: samplingFrequency = try Self.rate(child, &window) ?? 0
            case MatroskaID.outputSamplingFrequency: outputSamplingFrequency = try Self.rate(child, &window)
            case MatroskaID.channels: channels = try child.integer(&window) ?? 0
            case MatroskaID.bitDepth: bitDepth = try child.integer(&window)
            default: break
            }
        }
    }

    /// Nil if no recorder has that rate: DSD, the fastest, has 22,579,200.
    private static func rate(_ element: EBMLElement, _ window: inout ByteWindow) throws(AudioError) -> Int? {
        guard let value = try element.float(&window)?.rounded(), (1...50_000_000).contains(value) else { return nil }
        return Int(value)
    }
}

/// What was done to a track's frames before they were stored: RFC 9559, section 5.1.4.1.31.
struct ContentEncoding {
    /// Whether frames, and CodecPrivate, were treated.
    private var isOfFrames = false, isOfPrivate = false
    /// Bytes that all that was treated begins with, and that aren't stored; nil if the treatment was another, so that
    /// what is stored says nothing.
    private var stripped: [UInt8]? = []

    /// What writers strip is a header of a frame, of a few bytes.
    private static let longestStripped = 256

    /// Nothing was done to them.
    init() {}

    init(_ encodings: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader) throws(AudioError) {
        var position = encodings.content, count = 0
        while let child = try reader.next(&position, before: encodings.end, in: &window) {
            guard child.id == MatroskaID.contentEncoding else { continue }
            try read(child, in: &window, &reader)
            count += 1
        }
        // Several would have to be undone in an order that is stated, too; no writer is known to use them.
        if count > 1 { stripped = nil }
    }

    /// What is to be put in front of every frame.
    var framePrefix: [UInt8] { isOfFrames ? stripped ?? [] : [] }
    /// Whether frames are encrypted, or compressed so that their first bytes say nothing.
    var hidesFrames: Bool { isOfFrames && stripped == nil }
    /// CodecPrivate as it was; empty if it is hidden.
    func restored(_ codecPrivate: [UInt8]) -> [UInt8] {
        isOfPrivate ? stripped.map { $0 + codecPrivate } ?? [] : codecPrivate
    }

    private mutating func read(
        _ encoding: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        // By default all frames, and they alone, are compressed by zlib.
        var scope = 1, isEncryption = false, algorithm = 0, settings: [UInt8] = []
        var position = encoding.content
        while let child = try reader.next(&position, before: encoding.end, in: &window) {
            switch child.id {
            case MatroskaID.contentEncodingScope: scope = try child.integer(&window) ?? 1
            case MatroskaID.contentEncodingType: isEncryption = try child.integer(&window) != 0
            case MatroskaID.contentCompression:
                var inner = child.content
                while let part = try reader.next(&inner, before: child.end, in: &window) {
                    if part.id == MatroskaID.contentCompAlgo { algorithm = try part.integer(&window) ?? 0 }
                    if part.id == MatroskaID.contentCompSettings { settings = try part.bytes(&window) ?? [] }
                }
            default: break
            }
        }
        if scope & 1 != 0 { isOfFrames = true }
        if scope & 2 != 0 { isOfPrivate = true }
        // Algorithm 3 is header stripping.
        stripped = !isEncryption && algorithm == 3 && settings.count <= Self.longestStripped ? settings : nil
    }
}
