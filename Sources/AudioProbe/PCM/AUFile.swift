/// Sun's and NeXT's audio: a header of six words, a text, and sound to the end of the file. Recorders that wrote on
/// little-endian machines without a thought turned all of it around: `dns.`.
enum AUFile {
    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `unsupported-au-encoding`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        let order: ByteWindow.ByteOrder = try window.fourCC(at: start) == "dns." ? .little : .big
        guard let length = try window.uint32(at: start + 4, order), let size = try window.uint32(at: start + 8, order),
            let encoding = try window.uint32(at: start + 12, order),
            let rate = try window.uint32(at: start + 16, order),
            let channels = try window.uint32(at: start + 20, order)
        else { throw AudioError(.damaged, offset: window.count, "the file ends inside its header") }
        if length < 24 {
            throw AudioError(.damaged, offset: start + 4, "the header states its own length as \(length)")
        }
        if rate == 0 { throw AudioError(.damaged, offset: start + 16, "the header states a sample rate of 0") }
        if channels == 0 { throw AudioError(.damaged, offset: start + 20, "the header states no channels") }
        guard let (codec, bits, blocks) = layout(encoding, channels) else {
            throw AudioError(.unsupported("au-encoding"), offset: start + 12, "the encoding \(encoding) is not read")
        }

        let track = Recording.Track(codec: codec, sampleRate: rate, channels: channels, bitsPerSample: bits)
        let begin = start + length
        let isOpen =
            size == 0xFFFF_FFFF || size == 0 && begin < window.count
            || size >= SoundExtent.placeholder && size > window.count - begin
        let sound = SoundExtent(start: begin, size: isOpen ? nil : size, limit: window.count)
        let count = try BlockCount(blocks, in: sound)
        var recording = try Recording(.au, track, rate: SampleRate(rate), count, in: sound)
        try recording.warn(ofTrailing: sound.end < window.count ? sound.end : nil, in: &window)
        var metadata = try LeadingTags.metadata(before: start, in: &window)
        let text = Chunk(
            id: "text", start: start + 24, body: start + 24, size: length - 24, count: sound.start - start - 24)
        if try window.isTelling(text) { metadata.note(.text, text.range) }
        recording.metadata = metadata
        return recording
    }

    /// Those of `<multimedia/audio_filehdr.h>` whose samples take as many bits each.
    private static func layout(_ encoding: Int, _ channels: Int) -> (AudioCodec, Int?, SampleBlocks)? {
        func samples(_ codec: AudioCodec, _ bits: Int) -> (AudioCodec, Int?, SampleBlocks) {
            (codec, bits, SampleBlocks(bytes: bits / 8 * channels, samples: 1))
        }
        func packed(_ name: String, _ bits: Int) -> (AudioCodec, Int?, SampleBlocks) {
            (AudioCodec(rawValue: name), nil, .packed(bits: bits, channels: channels))
        }
        return switch encoding {
        case 1: (.muLaw, nil, SampleBlocks(bytes: channels, samples: 1))
        case 2, 11: samples(.pcm, 8)
        case 3, 12: samples(.pcm, 16)
        case 4, 13: samples(.pcm, 24)
        case 5, 14: samples(.pcm, 32)
        case 6: samples(.pcmFloat, 32)
        case 7: samples(.pcmFloat, 64)
        case 23: packed("g721", 4)
        case 24: packed("g722", 4)
        case 25: packed("g723", 3)
        case 26: packed("g723", 5)
        case 27: (.aLaw, nil, SampleBlocks(bytes: channels, samples: 1))
        default: nil
        }
    }
}
