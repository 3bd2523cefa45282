internal import MediaContainers

/// The sizes that exceed 32 bits: the chunk `ds64` of EBU Tech 3306, 3.3, and of ITU-R BS.2088, 4.
struct DataSize64Chunk {
    /// Bytes of audio, clamped to `Int.max`.
    private(set) var dataSize = Int.max
    /// Samples per channel, or `nil` if it is not stated.
    private(set) var sampleCount: Int?
    /// The sizes of other chunks.
    private var chunkSizes: [(id: FourCC, size: Int)] = []

    /// The greatest number of entries that are read. Real files have at most two.
    private static let maxChunkSizeCount = 64

    /// Creates the value for a file without a `ds64` chunk: all sizes are unknown.
    init() {}

    /// Parses a `ds64` chunk.
    ///
    /// - Throws: ``AudioError/Code/damaged``, and the errors of the reader.
    init(chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        guard chunk.availableSize >= 24,
            let data = try reader.uint64(at: chunk.contentOffset + 8, byteOrder: .littleEndian),
            let samples = try reader.uint64(at: chunk.contentOffset + 16, byteOrder: .littleEndian)
        else {
            throw AudioError(
                .damaged, offset: chunk.startOffset,
                message: "the 'ds64' chunk is truncated: \(chunk.availableSize) bytes")
        }
        dataSize = Int(clamping: data)
        sampleCount = Int(exactly: samples).flatMap { $0 > 0 ? $0 : nil }
        guard chunk.availableSize >= 28,
            let length = try reader.uint32(at: chunk.contentOffset + 24, byteOrder: .littleEndian)
        else { return }
        let fitting = (chunk.availableSize - 28) / 12
        for index in 0..<min(length, fitting, Self.maxChunkSizeCount) {
            let entry = chunk.contentOffset + 28 + index * 12
            guard let id = try reader.fourCC(at: entry),
                let size = try reader.uint64(at: entry + 4, byteOrder: .littleEndian)
            else {
                break
            }
            chunkSizes.append((id, Int(clamping: size)))
        }
    }

    /// Returns the size of a chunk with a placeholder in its own header, or `nil` if it is not listed.
    func size(ofChunk id: FourCC) -> Int? { id == "data" ? dataSize : chunkSizes.first { $0.id == id }?.size }
}
