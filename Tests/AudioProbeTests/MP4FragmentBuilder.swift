/// Builds fragments: `moof` and the `mdat` after it.
struct MP4Fragment {
    /// How a fragment states the offset of its samples.
    enum Base { case fragment, defaultIsFragment, stated }

    var track = 1
    var decodeTime: Int?
    var hasLongTime = false
    var count = 10
    var size = 10
    var duration = 1024
    /// The duration of the last sample, or `nil` for that of all samples.
    var lastDuration: Int?
    var base = Base.defaultIsFragment
    /// Whether `trun` lists durations and sizes; otherwise `tfhd` states them.
    var listsSamples = true
    /// Whether neither of them does, so that the defaults in `trex` apply.
    var usesDefaults = false
    /// Whether `trun` states the offset of the data.
    var hasDataOffset = true
    /// More boxes in `traf`.
    var boxes: [UInt8] = []

    /// Returns the fragment, which is at `offset` of the file.
    func encoded(at offset: Int) -> [UInt8] {
        let length = movieFragmentBox(at: offset, dataOffset: 0).count
        let media = [UInt8](repeating: 0, count: count * size)
        return movieFragmentBox(at: offset, dataOffset: length + 8) + MP4Builder.box(type: "mdat", content: media)
    }

    private func movieFragmentBox(at offset: Int, dataOffset: Int) -> [UInt8] {
        let time =
            decodeTime.map {
                MP4Builder.fullBox(
                    type: "tfdt", version: hasLongTime ? 1 : 0, content: bigEndianBytes($0, count: hasLongTime ? 8 : 4))
            } ?? []
        let traf = MP4Builder.box(
            type: "traf",
            content: trackFragmentHeader(offset: offset) + time + trackRunBox(dataOffset: dataOffset) + boxes)
        return MP4Builder.box(
            type: "moof", content: MP4Builder.fullBox(type: "mfhd", content: bigEndianBytes(1, count: 4)) + traf)
    }

    private func trackFragmentHeader(offset: Int) -> [UInt8] {
        var flags = base == .stated ? 1 : base == .defaultIsFragment ? 0x2_0000 : 0
        var content = bigEndianBytes(track, count: 4) + (base == .stated ? bigEndianBytes(offset, count: 8) : [])
        if !usesDefaults && !listsSamples {
            flags |= 0x18
            content += bigEndianBytes(duration, count: 4) + bigEndianBytes(size, count: 4)
        }
        return MP4Builder.fullBox(type: "tfhd", flags: flags, content: content)
    }

    private func trackRunBox(dataOffset: Int) -> [UInt8] {
        // All flags: durations, sizes, flags and composition offsets, and the first sample's flags.
        let flags = (listsSamples ? 0xF00 : 0) | 4 | (hasDataOffset ? 1 : 0)
        var content =
            bigEndianBytes(count, count: 4) + (hasDataOffset ? bigEndianBytes(dataOffset, count: 4) : [])
            + bigEndianBytes(0, count: 4)
        for index in 0..<(listsSamples ? count : 0) {
            let last = index == count - 1 ? lastDuration : nil
            content +=
                bigEndianBytes(last ?? duration, count: 4) + bigEndianBytes(size, count: 4)
                + bigEndianBytes(0, count: 8)
        }
        return MP4Builder.fullBox(type: "trun", flags: flags, content: content)
    }
}

extension MP4Builder {
    /// A fragmented file: `moov` with empty tables and the defaults, and the fragments.
    static func makeFragmentedFile(
        _ fragments: [MP4Fragment], track: MP4Track = MP4Track(), statedDuration: Int? = nil,
        before: [UInt8] = []
    ) -> [UInt8] {
        var builder = MP4Builder()
        builder.brand = "iso5"
        var empty = track
        (empty.sizes, empty.times, empty.content) = ([], [], nil)
        builder.tracks = [empty]
        let mehd = statedDuration.map { fullBox(type: "mehd", content: bigEndianBytes($0, count: 4)) } ?? []
        let trex = fullBox(
            type: "trex",
            content: bigEndianBytes(track.id, count: 4) + bigEndianBytes(1, count: 4) + bigEndianBytes(1024, count: 4)
                + bigEndianBytes(10, count: 4) + bigEndianBytes(0, count: 4))
        builder.movieBoxes = box(type: "mvex", content: mehd + trex)
        var file = builder.fileType + builder.movieBox(mediaStart: 0) + before
        for fragment in fragments { file += fragment.encoded(at: file.count) }
        return file
    }
}
