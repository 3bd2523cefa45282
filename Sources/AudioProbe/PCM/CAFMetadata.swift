extension BufferedFileReader {
    /// What a chunk of CAF says about anything but the sound; nil if nothing.
    mutating func cafMetadataKind(of chunk: Chunk) throws(AudioError) -> MetadataItem.Kind? {
        switch chunk.id {
        case "info": return try cafInfoChunkContainsUserText(chunk) ? .text : nil
        case "strg": return .text
        case "midi": return .applicationData
        case "uuid":
            // The UUID that XMP has in all formats of this family.
            let first = try uint64(at: chunk.contentOffset), second = try uint64(at: chunk.contentOffset + 8)
            return first == 0xBE7A_CFCB_97A9_42E8 && second == 0x9C71_9994_91E3_AFAC ? .xmp : .applicationData
        default: return nil
        }
    }

    /// Whether any entry of `info`, pairs of a key and a value that end in zero, is about more than how the file was
    /// made.
    private mutating func cafInfoChunkContainsUserText(_ chunk: Chunk) throws(AudioError) -> Bool {
        let technical = [
            "encoder", "encoding application", "source encoder", "approximate duration in seconds", "channel layout",
            "channel configuration", "nominal bit rate", "bit rate", "source bit depth", "sample rate",
        ]
        guard chunk.availableSize > 4 else { return false }
        // Longer than this it is no list of technical values.
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
