/// AMR and AMR-WB in their own file format: RFC 4867, 5. Each frame is of one channel.
struct AMRFile {
    /// Frames in a row by which the next is found behind one of a reserved type. A byte of chance looks like a header
    /// with a probability of 1 in 14; twelve in a row do in none of 4 MiB.
    private static let resynchronizationFrameCount = 12

    private let header: Header
    private let frameLengths: [Int]
    private var nextFrameOffset: Int
    /// Those of all channels.
    private var frameCount = 0
    private var firstGarbageOffset: Int?
    /// Bytes that belong to no frame.
    private var garbageByteCount = 0
    private var truncationOffset: Int?
    private var trailingBytesOffset: Int?
    /// Whether frames may follow that were not searched for.
    private var hasUnsearchedRest = false

    /// What the first line says.
    private struct Header {
        /// Where it ends.
        let endOffset: Int
        let isWideband: Bool
        let channels: Int

        init(at start: Int, in reader: inout BufferedFileReader) throws(AudioError) {
            let isMultichannel: Bool
            if try reader.hasASCII("#!AMR\n", at: start) {
                (endOffset, isWideband, isMultichannel) = (start + 6, false, false)
            } else if try reader.hasASCII("#!AMR-WB\n", at: start) {
                (endOffset, isWideband, isMultichannel) = (start + 9, true, false)
            } else if try reader.hasASCII("#!AMR_MC1.0\n", at: start) {
                (endOffset, isWideband, isMultichannel) = (start + 16, false, true)
            } else if try reader.hasASCII("#!AMR-WB_MC1.0\n", at: start) {
                (endOffset, isWideband, isMultichannel) = (start + 19, true, true)
            } else {
                throw AudioError(.damaged, offset: start, message: "the first line is none that AMR begins with")
            }
            // 28 bits are reserved, and 4 count the channels.
            guard isMultichannel else {
                channels = 1
                return
            }
            guard let description = try reader.uint32(at: endOffset - 4), description & 15 > 0 else {
                throw AudioError(.damaged, offset: endOffset - 4, message: "there are no channels")
            }
            channels = description & 15
        }
    }

    /// The recording that the file is. No header states a duration, so the frames are always counted.
    ///
    /// - Throws: `damaged`, and what reading throws.
    static func probe(in reader: inout BufferedFileReader, options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.endOffset(in: &reader)
        var file = try AMRFile(at: start, in: &reader)
        let isWhole = try reader.runWithinReadLimit { (reader) throws(AudioError) in
            repeat {
                try file.countFrames(in: &reader)
            } while try file.resynchronize(in: &reader, limits: options.limits)
        }
        var recording = file.makeRecording(fileSize: reader.byteCount)
        if !isWhole {
            recording.completeness = .complete
            recording.extrapolateDuration(
                fromScannedBytes: file.nextFrameOffset - file.header.endOffset,
                toTotalBytes: reader.byteCount - file.header.endOffset, scanEnd: file.nextFrameOffset)
        }
        recording.metadata = try LeadingTags.metadata(before: start, in: &reader)
        return recording
    }

    private init(at start: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        header = try Header(at: start, in: &reader)
        frameLengths = AMRFrame.frameLengths(isWideband: header.isWideband)
        nextFrameOffset = header.endOffset
    }

    /// Counts up to the end, or a frame that is cut or of a reserved type.
    private mutating func countFrames(in reader: inout BufferedFileReader) throws(AudioError) {
        while let byte = try reader.uint8(at: nextFrameOffset), frameLengths[byte >> 3 & 15] > 0 {
            let length = frameLengths[byte >> 3 & 15]
            if length > reader.byteCount - nextFrameOffset {
                truncationOffset = nextFrameOffset
                return
            }
            nextFrameOffset += length
            frameCount += 1
        }
    }

    /// Steps over damage to the next frames; false if there are none.
    private mutating func resynchronize(in reader: inout BufferedFileReader, limits: AudioLimits) throws(AudioError)
        -> Bool
    {
        if nextFrameOffset == reader.byteCount || truncationOffset != nil { return false }
        let last = nextFrameOffset + min(reader.byteCount - nextFrameOffset, limits.searchBytes)
        for position in nextFrameOffset + 1..<max(last, nextFrameOffset + 1)
        where try hasConsecutiveFrames(at: position, in: &reader) {
            firstGarbageOffset = firstGarbageOffset ?? nextFrameOffset
            garbageByteCount += position - nextFrameOffset
            nextFrameOffset = position
            return true
        }
        trailingBytesOffset = nextFrameOffset
        hasUnsearchedRest = last < reader.byteCount
        return false
    }

    /// Whether so many frames in a row, their unused bits zero, begin at `position`, or fewer that reach just to the
    /// end.
    private func hasConsecutiveFrames(at position: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool
    {
        try reader.prefetchBytes(count: Self.resynchronizationFrameCount * 64, at: position)
        var position = position
        for _ in 0..<Self.resynchronizationFrameCount {
            guard let byte = try reader.uint8(at: position) else { return position == reader.byteCount }
            guard byte & 0x83 == 0, frameLengths[byte >> 3 & 15] > 0 else { return false }
            position += frameLengths[byte >> 3 & 15]
        }
        return position <= reader.byteCount
    }

    private func makeRecording(fileSize: Int) -> Recording {
        let rate = AMRFrame.sampleRate(isWideband: header.isWideband)
        var track = Recording.Track(
            codec: header.isWideband ? .amrWB : .amrNB, sampleRate: rate, channels: header.channels)
        // A byte may have been a whole frame.
        let unrecognizedByteCount = garbageByteCount + (trailingBytesOffset.map { fileSize - $0 } ?? 0)
        track.duration = AudioDuration(
            ticks: frameCount / header.channels * AMRFrame.samplesPerFrame(isWideband: header.isWideband),
            timescale: rate, method: .scan,
            errorBound: Double(unrecognizedByteCount) / 50)
        var recording = Recording(
            container: header.isWideband ? .amrWB : .amr, track: track,
            mediaBytes: nextFrameOffset - header.endOffset - garbageByteCount)
        if let truncationOffset {
            recording.completeness = .truncated(offset: truncationOffset)
        } else if hasUnsearchedRest || frameCount % header.channels > 0 {
            recording.completeness = .truncated(offset: nextFrameOffset)
        } else if frameCount == 0 {
            recording.completeness = .noAudioFrames
        }
        if let firstGarbageOffset {
            recording.addWarning(
                .damagedFrames, offset: firstGarbageOffset,
                message: "between frames there are \(garbageByteCount) bytes of no frame")
        }
        if let trailingBytesOffset {
            recording.addWarning(
                .trailingBytes, offset: trailingBytesOffset,
                message: "\(fileSize - trailingBytesOffset) bytes follow the last frame")
        }
        return recording
    }
}
