internal import MediaContainers

extension Chunk {
    /// The kind of metadata in a WAVE chunk, or `nil` if it contains none. `LIST` chunks are read separately.
    var waveMetadataKind: MetadataItem.Kind? {
        switch id {
        // Broadcast WAVE, AES46, BS.2076, the chunks of Sound Forge and the AFsp tools, and ID3.
        case "bext", "iXML", "cart", "axml", "aXML", "DISP", "afsp", "id3 ", "ID3 ": .text
        case "_PMX": .xmp
        default: nil
        }
    }

    /// Returns whether a `LIST` chunk contains text of the user: in `INFO`, any item except `ISFT`, the encoder.
    func listContainsUserText(chunkWalker: inout ChunkWalker, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        let type = try reader.fourCC(at: contentOffset)
        guard availableSize >= 12, type == "INFO" || type == "adtl" else { return false }
        var items = ChunkWalker(
            chunkFormat: chunkWalker.chunkFormat, nextChunkOffset: contentOffset + 4, endOffset: endOffset,
            remainingChunkCount: chunkWalker.remainingChunkCount)
        defer { chunkWalker.remainingChunkCount = items.remainingChunkCount }
        while let item = try items.nextChunk(in: &reader) {
            if item.id != "ISFT", item.availableSize > 0 { return true }
        }
        return false
    }
}
