internal import MediaContainers

/// Probes AIFF and AIFF-C files: IFF with the audio in the chunk `SSND` and its format in `COMM`, in any order.
struct AIFFFile {
    private let isAIFC: Bool
    private var chunks: AudioChunkReader
    private var commonChunk: AIFFCommonChunk?

    /// Probes an AIFF or AIFF-C file.
    ///
    /// - Throws: ``AudioError/Code/damaged``, ``AudioError/Code/limitExceeded``, and the errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        let isAIFC = try reader.fourCC(at: start + 8) == "AIFC"
        var file = AIFFFile(
            isAIFC: isAIFC,
            chunks: try AudioChunkReader(
                chunkFormat: .riff(.bigEndian), after: start..<start + 12, limits: options.limits, in: &reader))
        return try file.readRecording(in: &reader)
    }

    private mutating func readRecording(in reader: inout BufferedFileReader) throws(AudioError) -> Recording {
        while let chunk = try chunks.nextChunk(in: &reader) { try readChunk(chunk, in: &reader) }
        guard let commonChunk else { throw chunks.missingChunkError("COMM") }
        var recording = try makeRecording(commonChunk: commonChunk, fileSize: reader.byteCount)
        try chunks.addFindings(to: &recording, in: &reader)
        return recording
    }

    private mutating func readChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        if chunks.dataExtent != nil, !chunk.hasPrintableID || !chunk.isComplete || chunk.id == "FORM" {
            chunks.trailingBytesOffset = chunk.startOffset
            return
        }
        switch chunk.id {
        case "COMM":
            if commonChunk == nil { commonChunk = try AIFFCommonChunk(chunk: chunk, isCompressed: isAIFC, in: &reader) }
        case "SSND": if chunks.dataExtent == nil { try readSoundDataChunk(chunk, in: &reader) }
        case "NAME", "AUTH", "(c) ", "ANNO", "COMT":
            if try reader.chunkContainsUserText(chunk) {
                chunks.metadataItems.recordMetadata(kind: .text, range: chunk.range)
            }
        case "ID3 ", "id3 ": chunks.metadataItems.recordMetadata(kind: .text, range: chunk.range)
        case "APPL": chunks.metadataItems.recordMetadata(kind: .applicationData, range: chunk.range)
        default: break
        }
    }

    /// Reads an `SSND` chunk. Its size includes two fields before the audio: an offset and the size of aligned blocks.
    private mutating func readSoundDataChunk(_ chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        let offset = try reader.uint32(at: chunk.contentOffset) ?? 0
        try chunks.recordAudio(in: chunk, from: chunk.contentOffset + 8 + offset, sizeField: .bits32, in: &reader)
    }

    private func makeRecording(commonChunk: AIFFCommonChunk, fileSize: Int) throws(AudioError) -> Recording {
        let container: AudioContainer = isAIFC ? .aifc : .aiff
        let track = Recording.Track(
            codec: commonChunk.encoding.codec, sampleRate: commonChunk.sampleRate.roundedHertz,
            channels: commonChunk.channels, bitsPerSample: commonChunk.encoding.bitsPerSample)
        guard let dataExtent = chunks.dataExtent else {
            return try Recording(
                container: container, track: track, sampleRate: commonChunk.sampleRate, truncatedAt: fileSize)
        }
        guard let blockLayout = commonChunk.encoding.blockLayout else {
            return try estimatedRecording(
                container: container, track: track, commonChunk: commonChunk, dataExtent: dataExtent)
        }
        var availableBlocks = try AvailableBlocks(layout: blockLayout, dataExtent: dataExtent)
        let difference = reconcileSampleCount(of: &availableBlocks, declaredFrameCount: commonChunk.declaredFrameCount)
        var recording = try Recording(
            container: container, track: track, sampleRate: commonChunk.sampleRate, availableBlocks: availableBlocks)
        if availableBlocks.completeBlockCount > 0,
            isFrameCountUnknown(commonChunk.declaredFrameCount, availableBlocks: availableBlocks)
        {
            recording.addWarning(.placeholderSize, message: "the 'COMM' chunk does not state the number of frames")
        } else if difference != 0 {
            recording.addWarning(
                .headerContradicts,
                message:
                    "the 'COMM' chunk states \(commonChunk.declaredFrameCount) frames, but the file has "
                    + "\(availableBlocks.completeBlockCount)"
            )
            // If the chunk states too many frames, players play those that exist. If it states too few, libsndfile and
            // FFmpeg play all that exist.
            let bound = try commonChunk.sampleRate.duration(sampleCount: max(difference, 0), method: .header).seconds
            recording.tracks[0].duration?.errorBound += bound
        }
        return recording
    }

    /// Returns whether `COMM` states no number of frames, a placeholder, or the number that corresponds to a
    /// placeholder size.
    private func isFrameCountUnknown(_ frameCount: Int, availableBlocks: AvailableBlocks) -> Bool {
        isPlaceholder(frameCount)
            || availableBlocks.dataExtent.sizeStatus == .unknown
                && isPlaceholder(frameCount * availableBlocks.layout.bytesPerBlock)
    }

    private func isPlaceholder(_ count: Int) -> Bool {
        count == 0 || DataChunkExtent.SizeField.bits32.isPlaceholder(count)
    }

    /// Compares the audio with the number of frames in `COMM`.
    ///
    /// - Returns: The number of samples by which the stated number falls short, negative if it is too large.
    private func reconcileSampleCount(of availableBlocks: inout AvailableBlocks, declaredFrameCount: Int) -> Int {
        if declaredFrameCount == availableBlocks.completeBlockCount
            || isFrameCountUnknown(declaredFrameCount, availableBlocks: availableBlocks)
        {
            return 0
        }
        let samplesPerBlock = availableBlocks.layout.samplesPerBlock
        // Some writers count frames instead of packets. The last packet may then be played in part.
        if !availableBlocks.isTruncated, declaredFrameCount > availableBlocks.sampleCount - samplesPerBlock,
            declaredFrameCount <= availableBlocks.sampleCount
        {
            availableBlocks.sampleCount = declaredFrameCount
            return 0
        }
        if declaredFrameCount > availableBlocks.completeBlockCount, availableBlocks.dataExtent.sizeStatus == .unknown {
            availableBlocks.isTruncated = true
        }
        return availableBlocks.isTruncated
            ? 0 : (availableBlocks.completeBlockCount - declaredFrameCount) * samplesPerBlock
    }

    /// Returns the result for a codec with unknown packets, where the header is the only source of the duration.
    private func estimatedRecording(
        container: AudioContainer, track: Recording.Track, commonChunk: AIFFCommonChunk, dataExtent: DataChunkExtent
    ) throws(AudioError) -> Recording {
        var recording = Recording(container: container, track: track, mediaBytes: dataExtent.byteCount)
        recording.addWarningIfSizeUnknown(of: dataExtent)
        let isUnknown = isPlaceholder(commonChunk.declaredFrameCount)
        var duration = try commonChunk.sampleRate.duration(
            sampleCount: isUnknown ? 0 : commonChunk.declaredFrameCount, method: .estimate)
        duration.errorBound = duration.seconds
        if dataExtent.sizeStatus == .truncated {
            recording.completeness = .truncated(offset: dataExtent.endOffset)
        } else if isUnknown {
            recording.completeness = dataExtent.byteCount == 0 ? .noAudioFrames : .unfinalized
        }
        if [.complete, .noAudioFrames].contains(recording.completeness) { recording.tracks[0].duration = duration }
        return recording
    }
}
