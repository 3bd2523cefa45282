/// AMR and AMR-WB in their own file format: RFC 4867, 5. Each frame is of one channel.
struct AMRFile {
    /// Frames in a row by which the next is found behind one of a reserved type. A byte of chance looks like a header with
    /// a probability of 1 in 14; twelve in a row do in none of 4 MiB.
    private static let agreement = 12

    private let header: Header
    private let lengths: [Int]
    private var offset: Int
    /// Those of all channels.
    private var frames = 0
    private var firstGap: Int?
    /// Bytes that belong to no frame.
    private var lost = 0
    private var cut: Int?
    private var trailing: Int?
    /// Whether frames may follow that were not searched for.
    private var hasUnsearchedRest = false

    /// What the first line says.
    private struct Header {
        /// Where it ends.
        let end: Int
        let isWide: Bool
        let channels: Int

        init(at start: Int, in window: inout ByteWindow) throws(AudioError) {
            let isMultichannel: Bool
            if try window.has("#!AMR\n", at: start) {
                (end, isWide, isMultichannel) = (start + 6, false, false)
            } else if try window.has("#!AMR-WB\n", at: start) {
                (end, isWide, isMultichannel) = (start + 9, true, false)
            } else if try window.has("#!AMR_MC1.0\n", at: start) {
                (end, isWide, isMultichannel) = (start + 16, false, true)
            } else if try window.has("#!AMR-WB_MC1.0\n", at: start) {
                (end, isWide, isMultichannel) = (start + 19, true, true)
            } else {
                throw AudioError(.damaged, offset: start, "the first line is none that AMR begins with")
            }
            // 28 bits are reserved, and 4 count the channels.
            guard isMultichannel else {
                channels = 1
                return
            }
            guard let description = try window.uint32(at: end - 4), description & 15 > 0 else {
                throw AudioError(.damaged, offset: end - 4, "there are no channels")
            }
            channels = description & 15
        }
    }

    /// The recording that the file is. No header states a duration, so the frames are always counted.
    ///
    /// - Throws: `damaged`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        var file = try AMRFile(at: start, in: &window)
        let isWhole = try window.scan { (window) throws(AudioError) in
            repeat { try file.countFrames(in: &window) } while try file.search(in: &window, options.limits)
        }
        var recording = file.report(windowEnd: window.count)
        if !isWhole {
            recording.completeness = .complete
            recording.extrapolate(
                from: file.offset - file.header.end, to: window.count - file.header.end, endingAt: file.offset)
        }
        recording.metadata = try LeadingTags.metadata(before: start, in: &window)
        return recording
    }

    private init(at start: Int, in window: inout ByteWindow) throws(AudioError) {
        header = try Header(at: start, in: &window)
        lengths = AMRFrame.lengths(isWide: header.isWide)
        offset = header.end
    }

    /// Counts up to the end, or a frame that is cut or of a reserved type.
    private mutating func countFrames(in window: inout ByteWindow) throws(AudioError) {
        while let byte = try window.uint8(at: offset), lengths[byte >> 3 & 15] > 0 {
            let length = lengths[byte >> 3 & 15]
            if length > window.count - offset {
                cut = offset
                return
            }
            offset += length
            frames += 1
        }
    }

    /// Steps over damage to the next frames; false if there are none.
    private mutating func search(in window: inout ByteWindow, _ limits: AudioLimits) throws(AudioError) -> Bool {
        if offset == window.count || cut != nil { return false }
        let last = offset + min(window.count - offset, limits.searchBytes)
        for position in offset + 1..<max(last, offset + 1) where try areFramesThere(at: position, in: &window) {
            firstGap = firstGap ?? offset
            lost += position - offset
            offset = position
            return true
        }
        trailing = offset
        hasUnsearchedRest = last < window.count
        return false
    }

    /// Whether so many frames in a row, their unused bits zero, begin at `position`, or fewer that reach just to the end.
    private func areFramesThere(at position: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        try window.hold(Self.agreement * 64, at: position)
        var position = position
        for _ in 0..<Self.agreement {
            guard let byte = try window.uint8(at: position) else { return position == window.count }
            guard byte & 0x83 == 0, lengths[byte >> 3 & 15] > 0 else { return false }
            position += lengths[byte >> 3 & 15]
        }
        return position <= window.count
    }

    private func report(windowEnd: Int) -> Recording {
        let rate = AMRFrame.sampleRate(isWide: header.isWide)
        var track = Recording.Track(
            codec: header.isWide ? .amrWB : .amrNB, sampleRate: rate, channels: header.channels)
        // A byte may have been a whole frame.
        let unknown = lost + (trailing.map { windowEnd - $0 } ?? 0)
        track.duration = AudioDuration(
            ticks: frames / header.channels * AMRFrame.samples(isWide: header.isWide), timescale: rate, method: .scan,
            errorBound: Double(unknown) / 50)
        var recording = Recording(
            header.isWide ? .amrWB : .amr, track: track, mediaBytes: offset - header.end - lost)
        if let cut {
            recording.completeness = .truncated(offset: cut)
        } else if hasUnsearchedRest || frames % header.channels > 0 {
            recording.completeness = .truncated(offset: offset)
        } else if frames == 0 {
            recording.completeness = .empty
        }
        if let firstGap {
            recording.warn(.damagedFrames, offset: firstGap, "between frames there are \(lost) bytes of no frame")
        }
        if let trailing {
            recording.warn(.trailingBytes, offset: trailing, "\(windowEnd - trailing) bytes follow the last frame")
        }
        return recording
    }
}
