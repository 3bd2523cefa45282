/// Apple's Core Audio Format: chunks with sizes of 64 bits, of which `desc` says what the sound is, `data` holds it,
/// and `pakt` lists its packets where they differ. The last may stand on either side of the sound.
struct CAFFile {
    private var reader: ChunkReader
    private var description: CAFDescription?
    private var table: CAFPacketTable?
    private var sound: SoundExtent?
    private var setUp: [UInt8]?
    private var metadata: [Metadata] = []
    /// What stands behind the sound and is no chunk.
    private var trailing: Int?

    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        let reader = ChunkReader(layout: .caf, offset: start + 8, end: window.count, remaining: options.limits.elements)
        var file = CAFFile(reader: reader)
        file.metadata = try LeadingTags.metadata(before: start, in: &window)
        return try file.recording(in: &window)
    }

    private init(reader: ChunkReader) { self.reader = reader }

    private mutating func recording(in window: inout ByteWindow) throws(AudioError) -> Recording {
        while trailing == nil, let chunk = try reader.next(in: &window) { try read(chunk, in: &window) }
        if sound != nil, reader.offset < window.count { trailing = trailing ?? reader.offset }
        guard let description else { throw AudioError(.damaged, offset: reader.offset, "the file has no desc chunk") }
        var recording = try recording(description, in: &window)
        try recording.warn(ofTrailing: trailing, in: &window)
        recording.metadata = metadata
        return recording
    }

    private mutating func read(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        // A packet table that the file's end cuts off still lists packets.
        if sound != nil, !chunk.isNamed || !chunk.isWhole && chunk.id != "pakt" {
            trailing = chunk.start
            return
        }
        switch chunk.id {
        case "desc": if description == nil { description = try CAFDescription(chunk, in: &window) }
        case "pakt":
            if table == nil, chunk.count >= 24 || chunk.isWhole { table = try CAFPacketTable(chunk, in: &window) }
        case "kuki": setUp = try window.bytes(at: chunk.body, count: min(chunk.count, 4096))
        case "data":
            if sound != nil { break }
            // A count of edits comes first.
            let placeholder = SoundExtent.widePlaceholder
            let sound = try SoundExtent(chunk, from: chunk.body + 4, placeholder: placeholder, reader, in: &window)
            if sound.ending != .stated { reader.offset = reader.end }
            self.sound = sound
        default:
            if let kind = try window.cafMetadata(chunk) { metadata.note(kind, chunk.range) }
        }
    }
}

// MARK: - How long it lasts

extension CAFFile {
    private func recording(
        _ description: CAFDescription, in window: inout ByteWindow
    ) throws(AudioError) -> Recording {
        let track = description.track(setUp: setUp)
        guard let sound else { return try Recording(.caf, track, rate: description.rate, endingAt: window.count) }
        guard let blocks = description.blocks else { return try listed(description, track, sound, in: &window) }
        var count = try BlockCount(blocks, in: sound)
        var contradiction: String?
        if let table, table.packets > 0, table.packets != count.blocks, !count.isTruncated {
            contradiction = "the packet table states \(table.packets) packets, and there are \(count.blocks)"
            if table.packets < count.blocks { count.keep(table.packets, of: blocks, in: sound) }
            if table.packets > count.blocks, sound.ending == .open { count.isTruncated = true }
        }
        var recording = try Recording(.caf, track, rate: description.rate, count, in: sound)
        if let contradiction { recording.warn(.headerContradicts, contradiction) }
        if let table { try trim(&recording, description.rate, count.samples, by: table, isWhole: !count.isTruncated) }
        return recording
    }

    /// The sound of packets that differ in size, in frames, or in both.
    private func listed(
        _ description: CAFDescription, _ track: Recording.Track, _ sound: SoundExtent, in window: inout ByteWindow
    ) throws(AudioError) -> Recording {
        var recording = Recording(.caf, track: track, mediaBytes: sound.count)
        recording.warnIfOpen(sound)
        guard let table, table.packets > 0 || sound.count == 0 else {
            // Recorders write the table last. Without sound there is nothing that it could have listed.
            let isEmpty = sound.count == 0 && sound.ending == .stated
            recording.completeness = isEmpty ? .empty : .unfinalised
            if isEmpty { recording.tracks[0].duration = try description.rate.duration(of: 0, method: .header) }
            return recording
        }
        let sum = try table.sum(description, there: sound.count, in: &window)
        let end = sound.start + sum.bytes
        recording.mediaBytes = sum.bytes
        switch sum.ending {
        case .sound: recording.completeness = .truncated(offset: end)
        case .table(let offset): recording.completeness = .truncated(offset: offset)
        case .short:
            recording.warn(
                .headerContradicts, "the packet table states \(table.packets) packets, and lists \(sum.packets)")
        case nil:
            if sound.ending == .cut { recording.warn(.headerContradicts, "the data chunk is larger than the file") }
        }
        let unfilled = sum.ending == nil ? try unfilled(description, track.codec, sum, endingAt: end, in: &window) : 0
        try trim(&recording, description.rate, sum.frames, by: table, isWhole: sum.ending == nil, unfilled: unfilled)
        if recording.completeness == .complete {
            if sum.frames == 0 { recording.completeness = .empty }
            if end < sound.end {
                recording.warn(
                    .trailingBytes, offset: end, "in the sound \(sound.end - end) bytes follow the last packet")
            }
        }
        return recording
    }

    /// Frames that the last packet has fewer than others. ffmpeg's tables count that of Apple Lossless in full, and
    /// only the packet itself knows better.
    private func unfilled(
        _ description: CAFDescription, _ codec: AudioCodec, _ sum: CAFPacketTable.Sum, endingAt end: Int,
        in window: inout ByteWindow
    ) throws(AudioError) -> Int {
        let usual = description.packetFrames
        guard codec == .alac, sum.last >= ALACPacket.headLength, usual > 0,
            let head = try window.bytes(at: end - sum.last, count: ALACPacket.headLength),
            let last = ALACPacket.samples(head, usual: usual)
        else { return 0 }
        return usual - last
    }

    /// Leaves out what the table says isn't played, and compares the rest with what it says is.
    ///
    /// - Parameters:
    ///   - isWhole: whether the last packet is there, which the table's remainder is part of.
    ///   - unfilled: what that packet itself lacks.
    private func trim(
        _ recording: inout Recording, _ rate: SampleRate, _ frames: Int, by table: CAFPacketTable, isWhole: Bool,
        unfilled: Int = 0
    ) throws(AudioError) {
        let method: AudioDuration.Method = recording.duration?.method ?? .index
        let left = table.primingFrames + (isWhole ? max(table.remainderFrames, unfilled) : 0)
        let played = max(frames - left, 0)
        var duration = try rate.duration(of: played, method: method)
        if isWhole, left > frames || played != table.validFrames {
            recording.warn(
                .headerContradicts,
                "the packet table states \(table.validFrames) frames to play, and there are \(played)")
            if unfilled <= table.remainderFrames {
                let difference = abs(played - min(table.validFrames, frames))
                duration.errorBound += Double(difference) / Double(rate.rounded)
            }
        }
        recording.tracks[0].duration = duration
    }
}
