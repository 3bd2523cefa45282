/// Probes Sun and NeXT audio files: a header of six words, a text, and audio up to the end of the file.
///
/// Some recorders on little-endian machines wrote the whole file in the wrong byte order, beginning with `dns.`.
enum AUFile {
    /// Probes an AU file.
    ///
    /// - Throws: ``AudioError/Code/damaged``, `unsupported-au-encoding`, and the errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        let order: BufferedFileReader.ByteOrder = try reader.fourCC(at: start) == "dns." ? .littleEndian : .bigEndian
        guard let length = try reader.uint32(at: start + 4, byteOrder: order),
            let size = try reader.uint32(at: start + 8, byteOrder: order),
            let encoding = try reader.uint32(at: start + 12, byteOrder: order),
            let rate = try reader.uint32(at: start + 16, byteOrder: order),
            let channels = try reader.uint32(at: start + 20, byteOrder: order)
        else { throw AudioError(.damaged, offset: reader.byteCount, message: "the file ends inside its header") }
        if length < 24 {
            throw AudioError(.damaged, offset: start + 4, message: "the header states its own length as \(length)")
        }
        if rate == 0 { throw AudioError(.damaged, offset: start + 16, message: "the header states a sample rate of 0") }
        if channels == 0 { throw AudioError(.damaged, offset: start + 20, message: "the header states no channels") }
        guard let (codec, bits, blockLayout) = codecAndLayout(encoding: encoding, channels: channels) else {
            throw AudioError(
                .unsupported("au-encoding"), offset: start + 12, message: "the encoding \(encoding) is not read")
        }

        let track = Recording.Track(codec: codec, sampleRate: rate, channels: channels, bitsPerSample: bits)
        let dataStart = start + length
        let isSizeUnknown =
            size == 0xFFFF_FFFF || size == 0 && dataStart < reader.byteCount
            || size >= DataChunkExtent.placeholderSize && size > reader.byteCount - dataStart
        let dataExtent = DataChunkExtent(
            startOffset: dataStart, declaredSize: isSizeUnknown ? nil : size, fileSize: reader.byteCount)
        let availableBlocks = try AvailableBlocks(layout: blockLayout, dataExtent: dataExtent)
        var recording = try Recording(
            container: .au, track: track, sampleRate: SampleRate(rate), availableBlocks: availableBlocks,
            dataExtent: dataExtent)
        try recording.addTrailingBytesWarning(
            offset: dataExtent.endOffset < reader.byteCount ? dataExtent.endOffset : nil, in: &reader)
        var metadata = try LeadingTags.metadata(before: start, in: &reader)
        let text = Chunk(
            id: "text", startOffset: start + 24, contentOffset: start + 24, declaredSize: length - 24,
            availableSize: dataExtent.startOffset - start - 24)
        if try reader.chunkContainsUserText(text) { metadata.recordMetadata(kind: .text, range: text.range) }
        recording.metadata = metadata
        return recording
    }

    /// Returns the format of an encoding in `<multimedia/audio_filehdr.h>` with a fixed number of bits per sample, or
    /// `nil`.
    private static func codecAndLayout(encoding: Int, channels: Int) -> (AudioCodec, Int?, SampleBlockLayout)? {
        func samples(_ codec: AudioCodec, _ bits: Int) -> (AudioCodec, Int?, SampleBlockLayout) {
            (codec, bits, SampleBlockLayout(bytesPerBlock: bits / 8 * channels, samplesPerBlock: 1))
        }
        func packed(_ name: String, _ bits: Int) -> (AudioCodec, Int?, SampleBlockLayout) {
            (AudioCodec(rawValue: name), nil, .packed(bitsPerSample: bits, channels: channels))
        }
        return switch encoding {
        case 1: (.muLaw, nil, SampleBlockLayout(bytesPerBlock: channels, samplesPerBlock: 1))
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
        case 27: (.aLaw, nil, SampleBlockLayout(bytesPerBlock: channels, samplesPerBlock: 1))
        default: nil
        }
    }
}
