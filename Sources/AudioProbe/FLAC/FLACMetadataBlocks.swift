/// The metadata blocks of a native FLAC stream: RFC 9639, section 8.
struct FLACMetadataBlocks {
    let streamInfo: FLACStreamInfo
    /// The metadata in the blocks.
    private(set) var metadataItems: [MetadataItem] = []
    /// The offset of the first frame. If the file ends earlier, the offset of the truncated block.
    private(set) var endOffset: Int
    /// Whether the file contains all blocks.
    private(set) var isComplete = false

    /// Reads the metadata blocks.
    ///
    /// - Parameters:
    ///   - reader: The file.
    ///   - start: The offset of the marker `fLaC`.
    ///   - limits: The limits.
    /// - Throws: ``AudioError/Code/damaged`` if the first block is not STREAMINFO, ``AudioError/Code/limitExceeded``,
    ///   and the errors of the reader.
    init(in reader: inout BufferedFileReader, from start: Int, limits: AudioLimits) throws(AudioError) {
        endOffset = start + 4
        guard let header = try reader.uint32(at: endOffset), header >> 24 & 0x7F == 0 else {
            throw AudioError(.damaged, offset: endOffset, message: "the first metadata block is not STREAMINFO")
        }
        let length = min(header & 0xFF_FFFF, FLACStreamInfo.encodedLength)
        guard let bytes = try reader.bytes(at: endOffset + 4, count: length) else {
            throw AudioError(.damaged, offset: endOffset, message: "the file ends inside the STREAMINFO block")
        }
        streamInfo = try FLACStreamInfo(bytes: bytes[...], offset: endOffset + 4)
        for _ in 0..<limits.elements {
            guard let header = try reader.uint32(at: endOffset) else { return }
            let next = endOffset + 4 + header & 0xFF_FFFF
            if next > reader.byteCount { return }
            try readBlock(type: header >> 24 & 0x7F, range: endOffset..<next, in: &reader, limits: limits)
            endOffset = next
            if header >> 31 == 1 {
                isComplete = true
                return
            }
        }
        throw AudioError(
            .limitExceeded, offset: endOffset, message: "too many metadata blocks (at most \(limits.elements))"
        )
    }

    /// Reads one block.
    ///
    /// - Parameters:
    ///   - type: The type of the block.
    ///   - range: The bytes of the block, including its header.
    ///   - reader: The file.
    ///   - limits: The limits.
    private mutating func readBlock(
        type: Int, range: Range<Int>, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) {
        if type == 127 {
            throw AudioError(
                .damaged, offset: range.lowerBound, message: "invalid type of a metadata block: 127")
        }
        for kind in try Self.metadataKinds(blockType: type, range: range, in: &reader, limits: limits) {
            metadataItems.recordMetadata(kind: kind, range: range)
        }
    }

    /// Returns the kinds of metadata in a block.
    ///
    /// - Parameters:
    ///   - blockType: The type of the block.
    ///   - range: The bytes of the block, including its header.
    ///   - reader: The file.
    ///   - limits: The limits.
    /// - Throws: The errors of the reader.
    static func metadataKinds(
        blockType: Int, range: Range<Int>, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem.Kind] {
        switch blockType {
        case 2: [.applicationData]
        case 4: try VorbisComment.metadataKinds(range: range.dropFirst(4), in: &reader, limits: limits)
        case 6: [.image]
        default: []
        }
    }
}
