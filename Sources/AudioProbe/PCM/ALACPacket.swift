/// The head of a packet of Apple Lossless, as its reference decoder reads it: 3 bits of an element's kind, 4 of its
/// number, 12 of nothing, one that says whether it is short, 3 of other flags, and, if it is, 32 with its samples.
enum ALACPacket {
    /// Samples of each channel in the packet at `offset`, if it has fewer than others; only a last one has.
    static func samples(inShortAt offset: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        guard let bits = try window.uint64(at: offset), bits >> 44 & 1 == 1 else { return nil }
        return Int(bits >> 9 & 0xFFFF_FFFF)
    }
}
