/// Builds fragments: `moof` and the `mdat` behind it.
struct MP4Fragment {
    /// How a fragment says where its samples are.
    enum Base { case fragment, defaultIsFragment, stated }

    var track = 1
    var decodeTime: Int?
    var hasLongTime = false
    var count = 10
    var size = 10
    var duration = 1024
    /// Of the last sample; nil is that of all.
    var lastDuration: Int?
    var base = Base.defaultIsFragment
    /// Whether `trun` lists durations and sizes; otherwise `tfhd` states them.
    var listsSamples = true
    /// Whether neither does, so that `trex` counts.
    var usesDefaults = false
    /// Whether `trun` says where the data begin.
    var hasDataOffset = true
    /// More boxes in `traf`.
    var boxes: [UInt8] = []

    /// The fragment, for a file in which it stands at `offset`.
    func bytes(at offset: Int) -> [UInt8] {
        let length = fragment(at: offset, dataOffset: 0).count
        let media = [UInt8](repeating: 0, count: count * size)
        return fragment(at: offset, dataOffset: length + 8) + MP4Builder.box("mdat", media)
    }

    private func fragment(at offset: Int, dataOffset: Int) -> [UInt8] {
        let time =
            decodeTime.map {
                MP4Builder.fullBox("tfdt", version: hasLongTime ? 1 : 0, big($0, hasLongTime ? 8 : 4))
            } ?? []
        let traf = MP4Builder.box("traf", header(offset) + time + run(dataOffset) + boxes)
        return MP4Builder.box("moof", MP4Builder.fullBox("mfhd", big(1, 4)) + traf)
    }

    private func header(_ offset: Int) -> [UInt8] {
        var flags = base == .stated ? 1 : base == .defaultIsFragment ? 0x2_0000 : 0
        var content = big(track, 4) + (base == .stated ? big(offset, 8) : [])
        if !usesDefaults && !listsSamples {
            flags |= 0x18
            content += big(duration, 4) + big(size, 4)
        }
        return MP4Builder.fullBox("tfhd", flags: flags, content)
    }

    private func run(_ dataOffset: Int) -> [UInt8] {
        // All flags: durations, sizes, flags and composition offsets, and the first sample's flags.
        let flags = (listsSamples ? 0xF00 : 0) | 4 | (hasDataOffset ? 1 : 0)
        var content = big(count, 4) + (hasDataOffset ? big(dataOffset, 4) : []) + big(0, 4)
        for index in 0..<(listsSamples ? count : 0) {
            let last = index == count - 1 ? lastDuration : nil
            content += big(last ?? duration, 4) + big(size, 4) + big(0, 8)
        }
        return MP4Builder.fullBox("trun", flags: flags, content)
    }
}

extension MP4Builder {
    /// A fragmented file: `moov` with empty tables and what fragments take as said, and the fragments.
    static func fragmented(
        _ fragments: [MP4Fragment], track: MP4Track = MP4Track(), statedDuration: Int? = nil,
        before: [UInt8] = []
    ) -> [UInt8] {
        var builder = MP4Builder()
        builder.brand = "iso5"
        var empty = track
        (empty.sizes, empty.times, empty.content) = ([], [], nil)
        builder.tracks = [empty]
        let mehd = statedDuration.map { fullBox("mehd", big($0, 4)) } ?? []
        let trex = fullBox("trex", big(track.id, 4) + big(1, 4) + big(1024, 4) + big(10, 4) + big(0, 4))
        builder.movieBoxes = box("mvex", mehd + trex)
        var file = builder.fileType + builder.movie(mediaStart: 0) + before
        for fragment in fragments { file += fragment.bytes(at: file.count) }
        return file
    }
}
