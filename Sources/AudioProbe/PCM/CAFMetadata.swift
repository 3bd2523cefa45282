internal import MediaContainers

extension BufferedFileReader {
    /// Returns the kind of metadata in a CAF chunk, or `nil` if it contains none.
    mutating func cafMetadataKind(of chunk: Chunk) throws(AudioError) -> MetadataItem.Kind? {
        switch chunk.id {
        case "info": return try cafInfoChunkContainsUserText(chunk) ? .text : nil
        case "strg": return .text
        case "midi": return .applicationData
        case "uuid":
            // The UUID of XMP in all formats of this family.
            let first = try uint64(at: chunk.contentOffset), second = try uint64(at: chunk.contentOffset + 8)
            return first == 0xBE7A_CFCB_97A9_42E8 && second == 0x9C71_9994_91E3_AFAC ? .xmp : .applicationData
        default: return nil
        }
    }

    /// Returns whether an entry of an `info` chunk describes more than how the file was made.
    ///
    /// The chunk is a list of zero-terminated keys and values.
    private mutating func cafInfoChunkContainsUserText(_ chunk: Chunk) throws(AudioError) -> Bool {
        let technical = [
            "encoder", "encoding application", "source encoder", "approximate duration in seconds", "channel layout",
            "channel configuration", "nominal bit rate", "bit rate", "source bit depth", "sample rate",
        ]
        guard chunk.availableSize > 4 else { return false }
        // A list of technical values is shorter than 4096 bytes.
        guard let bytes = try bytes(at: chunk.contentOffset + 4, count: min(chunk.availableSize - 4, 4096)) else {
            return false
        }
        let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        return stride(from: 0, to: texts.count - 1, by: 2).contains { index in
            !texts[index].isEmpty && !texts[index + 1].isEmpty
                && !technical.contains { texts[index].elementsEqual($0.utf8) }
        }
    }
}
