extension StreamTag {
    /// An item for each kind of what the tag holds, with the whole tag's range.
    func metadata(in window: inout ByteWindow) throws(AudioError) -> [Metadata] {
        let kinds: [Metadata.Kind] =
            switch kind {
            case .id3v2: try ID3v2Tag.kinds(in: range, &window)
            case .ape: try kindsOfAPE(in: &window)
            case .lyrics: [.text]
            // Title, artist, album, year and comment; the genre behind them is a number.
            case .id3v1: try isBlank(from: 3, to: 127, in: &window) ? [] : [.text]
            // Title, artist and album; behind the speed, the genre as text and two times.
            case .enhanced: try isBlank(from: 4, to: 184, in: &window) ? [] : [.text]
            }
        return kinds.map { Metadata($0, range) }
    }

    private func isBlank(from: Int, to: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        try window.bytes(at: range.lowerBound + from, count: to - from)?.allSatisfy { $0 == 0 || $0 == 0x20 } ?? true
    }

    /// Each item is the size of its value and flags, 4 bytes each, a key that a zero ends, and the value.
    private func kindsOfAPE(in window: inout ByteWindow) throws(AudioError) -> [Metadata.Kind] {
        var kinds: [Metadata.Kind] = []
        var offset = range.lowerBound
        if try window.has("APETAGEX", at: offset) { offset += 32 }
        // Keys are of 2 to 255 characters.
        while offset < range.upperBound - 32, let size = try window.uint32(at: offset, .little),
            let flags = try window.uint32(at: offset + 4, .little),
            let bytes = try window.bytes(at: offset + 8, count: min(256, max(0, range.upperBound - offset - 8))),
            let end = bytes.firstIndex(of: 0)
        {
            let key = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
            if let kind = Self.kind(key, isBinary: flags >> 1 & 3 == 1), !kinds.contains(kind) { kinds.append(kind) }
            offset += 8 + end + 1 + size
        }
        return kinds
    }

    /// Nil for what is about volume alone.
    private static func kind(_ key: String, isBinary: Bool) -> Metadata.Kind? {
        if key.hasPrefix("replaygain_") || key.hasPrefix("mp3gain_") { return nil }
        if key.hasPrefix("cover art") { return .picture }
        return isBinary ? .application : .text
    }
}

extension Recording {
    /// Takes over what tags before, between and behind the sound hold.
    ///
    /// - Parameters:
    ///   - start: where the frames begin.
    ///   - end: where those behind them begin.
    mutating func carryTags(
        before start: Int, between: [Metadata] = [], from end: Int, in window: inout ByteWindow
    ) throws(AudioError) {
        metadata += try LeadingTags.metadata(before: start, in: &window)
        metadata += between
        for tag in try TrailingTags(in: &window, notBefore: end).tags.reversed() {
            metadata += try tag.metadata(in: &window)
        }
    }
}
