internal import Diagnostics
internal import MediaContainers

/// Probes Apple's Core Audio Format: chunks with 64-bit sizes.
///
/// `desc` describes the audio, `data` contains it, and `pakt` lists its packets where they differ in size. The packet
/// table can precede or follow the audio.
struct CAFFile {
    private var chunks: AudioChunkReader
    private var audioDescription: CAFAudioDescription?
    private var packetTable: CAFPacketTable?
    private var magicCookie: [UInt8]?

    /// Probes a CAF file.
    ///
    /// - Throws: ``AudioError/Code/damaged``, ``AudioError/Code/limitExceeded``, and the errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        var file = CAFFile(
            chunks: try AudioChunkReader(
                chunkFormat: .caf, after: start..<start + 8, limits: options.limits, in: &reader))
        return try file.readRecording(in: &reader)
    }

    private mutating func readRecording(in reader: inout BufferedFileReader) throws(AudioError) -> Recording {
        while let chunk = try chunks.nextChunk(in: &reader) { try readChunk(chunk, in: &reader) }
        guard let audioDescription else { throw chunks.missingChunkError("desc") }
        var recording = try makeRecording(audioDescription: audioDescription, in: &reader)
        try chunks.addFindings(to: &recording, in: &reader)
        return recording
    }

    private mutating func readChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        // A truncated packet table still lists packets.
        if chunks.dataExtent != nil, !chunk.hasPrintableID || !chunk.isComplete && chunk.id != "pakt" {
            chunks.trailingBytesOffset = chunk.startOffset
            return
        }
        switch chunk.id {
        case "desc":
            if audioDescription == nil { audioDescription = try CAFAudioDescription(chunk: chunk, in: &reader) }
        case "pakt":
            if packetTable == nil, chunk.availableSize >= 24 || chunk.isComplete {
                packetTable = try CAFPacketTable(chunk: chunk, in: &reader)
            }
        case "kuki": magicCookie = try reader.bytes(at: chunk.contentOffset, count: min(chunk.availableSize, 4096))
        case "data":
            if chunks.dataExtent != nil { break }
            // The audio follows an edit count of 4 bytes.
            try chunks.recordAudio(in: chunk, from: chunk.contentOffset + 4, sizeField: .bits64, in: &reader)
        default:
            if let kind = try reader.cafMetadataKind(of: chunk) {
                chunks.metadataItems.recordMetadata(kind: kind, range: chunk.range)
            }
        }
    }
}

// MARK: - Duration

extension CAFFile {
    private func makeRecording(
        audioDescription: CAFAudioDescription, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Recording {
        let track = audioDescription.makeTrack(magicCookie: magicCookie)
        guard let dataExtent = chunks.dataExtent else {
            return try Recording(
                container: .caf, track: track, sampleRate: audioDescription.sampleRate, truncatedAt: reader.byteCount)
        }
        guard let blockLayout = audioDescription.blockLayout else {
            return try makePacketTableRecording(
                audioDescription: audioDescription, track: track, dataExtent: dataExtent, in: &reader)
        }
        var availableBlocks = try AvailableBlocks(layout: blockLayout, dataExtent: dataExtent)
        var contradiction: String?
        if let packetTable, packetTable.declaredPacketCount > 0,
            packetTable.declaredPacketCount != availableBlocks.completeBlockCount, !availableBlocks.isTruncated
        {
            contradiction =
                "the packet table states \(packetTable.declaredPacketCount) packets, but the file has "
                + "\(availableBlocks.completeBlockCount)"
            if packetTable.declaredPacketCount < availableBlocks.completeBlockCount {
                availableBlocks.limit(toBlockCount: packetTable.declaredPacketCount)
            }
            if packetTable.declaredPacketCount > availableBlocks.completeBlockCount, dataExtent.sizeStatus == .unknown {
                availableBlocks.isTruncated = true
            }
        }
        var recording = try Recording(
            container: .caf, track: track, sampleRate: audioDescription.sampleRate, availableBlocks: availableBlocks)
        if let contradiction { recording.addWarning(.headerContradicts, message: contradiction) }
        if let packetTable {
            try applyTrimming(
                to: &recording, sampleRate: audioDescription.sampleRate, frameCount: availableBlocks.sampleCount,
                packetTable: packetTable, hasLastPacket: !availableBlocks.isTruncated)
        }
        return recording
    }

    /// Returns the result for packets that differ in size or in their number of frames.
    private func makePacketTableRecording(
        audioDescription: CAFAudioDescription, track: Recording.Track, dataExtent: DataChunkExtent,
        in reader: inout BufferedFileReader
    ) throws(AudioError) -> Recording {
        var recording = Recording(container: .caf, track: track, mediaBytes: dataExtent.byteCount)
        recording.addWarningIfSizeUnknown(of: dataExtent)
        guard let packetTable, packetTable.declaredPacketCount > 0 || dataExtent.byteCount == 0 else {
            // Recorders write the packet table last. Without audio, there is nothing to list.
            let isEmpty = dataExtent.byteCount == 0 && dataExtent.sizeStatus == .declared
            recording.completeness = isEmpty ? .noAudioFrames : .unfinalized
            if isEmpty {
                recording.tracks[0].duration = try audioDescription.sampleRate.duration(sampleCount: 0, method: .header)
            }
            return recording
        }
        let packetSum = try packetTable.sumPackets(
            audioDescription: audioDescription, availableByteCount: dataExtent.byteCount, in: &reader)
        let end = dataExtent.startOffset + packetSum.byteCount
        recording.mediaBytes = packetSum.byteCount
        report(packetSum, endingAt: end, packetTable: packetTable, dataExtent: dataExtent, in: &recording)
        let unusedFrameCount =
            packetSum.stopReason == nil
            ? try unusedFramesInLastPacket(
                audioDescription: audioDescription, codec: track.codec, packetSum: packetSum, endingAt: end, in: &reader
            ) : 0
        try applyTrimming(
            to: &recording, sampleRate: audioDescription.sampleRate, frameCount: packetSum.frameCount,
            packetTable: packetTable, hasLastPacket: packetSum.stopReason == nil, unusedFrameCount: unusedFrameCount)
        if recording.completeness == .complete {
            if packetSum.frameCount == 0 { recording.completeness = .noAudioFrames }
            if end < dataExtent.endOffset {
                recording.addWarning(
                    .trailingBytes, offset: end,
                    message: "\(dataExtent.endOffset - end) bytes follow the last packet in the 'data' chunk")
            }
        }
        return recording
    }

    /// Records in `recording` why the sum of the packets ended.
    private func report(
        _ packetSum: CAFPacketTable.PacketSum, endingAt end: Int, packetTable: CAFPacketTable,
        dataExtent: DataChunkExtent, in recording: inout Recording
    ) {
        switch packetSum.stopReason {
        case .audioDataEnded: recording.completeness = .truncated(offset: end)
        case .tableTruncated(let offset): recording.completeness = .truncated(offset: offset)
        case .tableTooShort:
            recording.addWarning(
                .headerContradicts,
                message:
                    "the packet table states \(packetTable.declaredPacketCount) packets, but lists "
                    + "\(packetSum.packetCount)"
            )
        case nil:
            if dataExtent.sizeStatus == .truncated {
                recording.addWarning(.headerContradicts, message: "the 'data' chunk is larger than the file")
            }
        }
    }

    /// Returns how many frames the last packet has less than the others.
    ///
    /// FFmpeg's packet tables count the last Apple Lossless packet in full. Only the packet itself states its length.
    private func unusedFramesInLastPacket(
        audioDescription: CAFAudioDescription, codec: AudioCodec, packetSum: CAFPacketTable.PacketSum,
        endingAt end: Int,
        in reader: inout BufferedFileReader
    ) throws(AudioError) -> Int {
        let framesPerPacket = audioDescription.framesPerPacket
        guard codec == .alac, packetSum.lastPacketByteCount >= ALACPacket.maxHeaderLength, framesPerPacket > 0,
            let head = try reader.bytes(at: end - packetSum.lastPacketByteCount, count: ALACPacket.maxHeaderLength),
            let last = ALACPacket.sampleCount(header: head, defaultCount: framesPerPacket)
        else { return 0 }
        return framesPerPacket - last
    }

    /// Subtracts the frames that the packet table excludes, and compares the rest with the valid frames that it states.
    ///
    /// - Parameters:
    ///   - recording: The result to update.
    ///   - sampleRate: The sample rate.
    ///   - frameCount: The frames in the packets that exist.
    ///   - packetTable: The packet table.
    ///   - hasLastPacket: Whether the last packet exists. It contains the table's remainder frames.
    ///   - unusedFrameCount: How many frames the last packet has less than the others.
    private func applyTrimming(
        to recording: inout Recording, sampleRate: SampleRate, frameCount: Int, packetTable: CAFPacketTable,
        hasLastPacket: Bool,
        unusedFrameCount: Int = 0
    ) throws(AudioError) {
        let method: AudioDuration.Method = recording.duration?.method ?? .index
        let trimmedFrameCount =
            packetTable.primingFrameCount + (hasLastPacket ? max(packetTable.remainderFrameCount, unusedFrameCount) : 0)
        let playedFrameCount = max(frameCount - trimmedFrameCount, 0)
        var duration = try sampleRate.duration(sampleCount: playedFrameCount, method: method)
        if hasLastPacket, trimmedFrameCount > frameCount || playedFrameCount != packetTable.validFrameCount {
            recording.addWarning(
                .headerContradicts,
                message:
                    "the packet table states \(packetTable.validFrameCount) frames to play, but the file has "
                    + "\(playedFrameCount)"
            )
            if unusedFrameCount <= packetTable.remainderFrameCount {
                let contradictionFrameCount = abs(playedFrameCount - min(packetTable.validFrameCount, frameCount))
                duration.errorBound += Double(contradictionFrameCount) / Double(sampleRate.roundedHertz)
            }
        }
        recording.tracks[0].duration = duration
    }
}
