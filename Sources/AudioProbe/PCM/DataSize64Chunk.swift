/// The sizes that 32 bits can't hold: chunk `ds64` of EBU Tech 3306, 3.3, and of ITU-R BS.2088, 4.
struct DataSize64Chunk {
    /// Bytes of sound; beyond `Int` they are `Int.max`.
    private(set) var dataSize = Int.max
    /// Samples of each channel; nil if it isn't stated.
    private(set) var sampleCount: Int?
    /// Sizes of other chunks.
    private var chunkSizes: [(id: FourCC, size: Int)] = []

    /// Real files list two at most.
    private static let maximumChunkSizeCount = 64

    /// Nothing is known.
    init() {}

    /// - Throws: `damaged`, and what reading throws.
    init(chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        guard chunk.availableSize >= 24,
            let data = try reader.uint64(at: chunk.contentOffset + 8, byteOrder: .littleEndian),
            let samples = try reader.uint64(at: chunk.contentOffset + 16, byteOrder: .littleEndian)
        else {
            throw AudioError(
                .damaged, offset: chunk.startOffset, message: "the ds64 chunk is \(chunk.availableSize) bytes long")
        }
        dataSize = Int(clamping: data)
        sampleCount = Int(exactly: samples).flatMap { $0 > 0 ? $0 : nil }
        guard chunk.availableSize >= 28,
            let length = try reader.uint32(at: chunk.contentOffset + 24, byteOrder: .littleEndian)
        else { return }
        let fitting = (chunk.availableSize - 28) / 12
        for index in 0..<min(length, fitting, Self.maximumChunkSizeCount) {
            let entry = chunk.contentOffset + 28 + index * 12
            guard let id = try reader.fourCC(at: entry),
                let size = try reader.uint64(at: entry + 4, byteOrder: .littleEndian)
            else {
                break
            }
            chunkSizes.append((id, Int(clamping: size)))
        }
    }

    /// The size of the chunk `id` whose own header leaves it to the table; nil if that doesn't list it.
    func size(ofChunk id: FourCC) -> Int? { id == "data" ? dataSize : chunkSizes.first { $0.id == id }?.size }
}
