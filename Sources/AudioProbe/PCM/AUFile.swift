internal import MediaContainers

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
            let encodingNumber = try reader.uint32(at: start + 12, byteOrder: order),
            let rate = try reader.uint32(at: start + 16, byteOrder: order),
            let channels = try reader.uint32(at: start + 20, byteOrder: order)
        else { throw AudioError(.damaged, offset: reader.byteCount, message: "the file ends inside its header") }
        if length < 24 {
            throw AudioError(.damaged, offset: start + 4, message: "invalid header size: \(length) bytes (at least 24)")
        }
        if rate == 0 {
            throw AudioError(.damaged, offset: start + 16, message: "invalid sample rate in the header: 0 Hz")
        }
        if channels == 0 {
            throw AudioError(.damaged, offset: start + 20, message: "invalid number of channels in the header: 0")
        }
        guard let encoding = encoding(number: encodingNumber, channels: channels),
            let blockLayout = encoding.blockLayout
        else {
            throw AudioError(
                .unsupported("au-encoding"), offset: start + 12,
                message: "the AU encoding is unsupported: \(encodingNumber)")
        }

        let track = Recording.Track(
            codec: encoding.codec, sampleRate: rate, channels: channels, bitsPerSample: encoding.bitsPerSample)
        let dataStart = start + length
        let isSizeUnknown =
            size == 0xFFFF_FFFF || size == 0 && dataStart < reader.byteCount
            || DataChunkExtent.SizeField.bits32.isPlaceholder(size) && size > reader.byteCount - dataStart
        let dataExtent = DataChunkExtent(
            startOffset: dataStart, declaredSize: isSizeUnknown ? nil : size, fileSize: reader.byteCount)
        let availableBlocks = try AvailableBlocks(layout: blockLayout, dataExtent: dataExtent)
        var recording = try Recording(
            container: .au, track: track, sampleRate: SampleRate(rate), availableBlocks: availableBlocks)
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

    /// Returns the encoding with a number in `<multimedia/audio_filehdr.h>`, or `nil` if the number of bits per sample
    /// is not fixed.
    private static func encoding(number: Int, channels: Int) -> SampleEncoding? {
        func uncompressedEncoding(_ codec: AudioCodec, bits: Int) -> SampleEncoding {
            .uncompressed(codec, bitsPerSample: bits, channels: channels)
        }
        func packedEncoding(_ name: String, bits: Int) -> SampleEncoding {
            SampleEncoding(
                codec: AudioCodec(rawValue: name), blockLayout: .packed(bitsPerSample: bits, channels: channels))
        }
        return switch number {
        case 1: .packets(.muLaw, bytesPerPacket: channels, samplesPerPacket: 1)
        case 2, 11: uncompressedEncoding(.pcm, bits: 8)
        case 3, 12: uncompressedEncoding(.pcm, bits: 16)
        case 4, 13: uncompressedEncoding(.pcm, bits: 24)
        case 5, 14: uncompressedEncoding(.pcm, bits: 32)
        case 6: uncompressedEncoding(.pcmFloat, bits: 32)
        case 7: uncompressedEncoding(.pcmFloat, bits: 64)
        case 23: packedEncoding("g721", bits: 4)
        case 24: packedEncoding("g722", bits: 4)
        case 25: packedEncoding("g723", bits: 3)
        case 26: packedEncoding("g723", bits: 5)
        case 27: .packets(.aLaw, bytesPerPacket: channels, samplesPerPacket: 1)
        default: nil
        }
    }
}
