/// The sizes that 32 bits can't hold: chunk `ds64` of EBU Tech 3306, 3.3, and of ITU-R BS.2088, 4.
struct DataSize64 {
    /// Bytes of sound; beyond `Int` they are `Int.max`.
    private(set) var dataSize = Int.max
    /// Samples of each channel; nil if it isn't stated.
    private(set) var sampleCount: Int?
    /// Sizes of other chunks.
    private var table: [(id: FourCC, size: Int)] = []

    /// Real files list two at most.
    private static let longestTable = 64

    /// Nothing is known.
    init() {}

    /// - Throws: `damaged`, and what reading throws.
    init(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        guard chunk.count >= 24, let data = try window.uint64(at: chunk.body + 8, .little),
            let samples = try window.uint64(at: chunk.body + 16, .little)
        else { throw AudioError(.damaged, offset: chunk.start, "the ds64 chunk is \(chunk.count) bytes long") }
        dataSize = Int(clamping: data)
        sampleCount = Int(exactly: samples).flatMap { $0 > 0 ? $0 : nil }
        guard chunk.count >= 28, let length = try window.uint32(at: chunk.body + 24, .little) else { return }
        let fitting = (chunk.count - 28) / 12
        for index in 0..<min(length, fitting, Self.longestTable) {
            let entry = chunk.body + 28 + index * 12
            guard let id = try window.fourCC(at: entry), let size = try window.uint64(at: entry + 4, .little) else {
                break
            }
            table.append((id, Int(clamping: size)))
        }
    }

    /// The size of the chunk `id` whose own header leaves it to the table; nil if that doesn't list it.
    func size(of id: FourCC) -> Int? { id == "data" ? dataSize : table.first { $0.id == id }?.size }
}
