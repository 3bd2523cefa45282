internal import Diagnostics

/// Reads AMR and AMR-WB files: RFC 4867, section 5. Each frame contains one channel.
struct AMRFile {
    /// The number of consecutive frames that must match to resynchronize after a frame of a reserved type.
    ///
    /// A random byte looks like a frame header with a probability of 1 in 14. Twelve in a row did not occur in 4 MiB of
    /// random bytes.
    private static let resynchronizationFrameCount = 12

    private let header: Header
    private let frameLengths: [Int]
    private var nextFrameOffset: Int
    /// The number of frames of all channels.
    private var frameCount = 0
    private var firstGarbageOffset: Int?
    /// Bytes between frames that belong to no frame.
    private var garbageByteCount = 0
    private var truncationOffset: Int?
    private var trailingBytesOffset: Int?
    /// Whether more frames may follow in bytes that were not searched.
    private var hasUnsearchedRest = false

    /// The file header.
    private struct Header {
        /// The offset of the first frame.
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
                throw AudioError(.damaged, offset: start, message: "invalid AMR signature")
            }
            // The field has 28 reserved bits and 4 bits for the number of channels.
            guard isMultichannel else {
                channels = 1
                return
            }
            guard let description = try reader.uint32(at: endOffset - 4), description & 15 > 0 else {
                throw AudioError(
                    .damaged, offset: endOffset - 4, message: "invalid number of channels in the header: 0")
            }
            channels = description & 15
        }
    }

    /// Probes an AMR file. The frames are always counted, because no header states a duration.
    ///
    /// - Throws: ``AudioError/Code/damaged``, and the errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
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

    /// Counts frames until the end of the file, a truncated frame, or a frame of a reserved type.
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

    /// Skips damaged bytes up to the next frames.
    ///
    /// - Returns: `false` if there are no more frames.
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

    /// Returns whether enough consecutive frames with zero padding bits begin at `position`, or fewer that reach
    /// exactly to the end of the file.
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
        // Each of these bytes could have been a whole frame.
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
                message: "\(garbageByteCount) unrecognized bytes between frames")
        }
        if let trailingBytesOffset {
            recording.addWarning(
                .trailingBytes, offset: trailingBytesOffset,
                message: "\(fileSize - trailingBytesOffset) bytes follow the last frame")
        }
        return recording
    }
}
