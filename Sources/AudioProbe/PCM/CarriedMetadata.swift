extension [MetadataItem] {
    /// Records that the bytes in `range` are metadata of a kind.
    ///
    /// Adjacent items of the same kind are merged. After 1,000 items no more are added, so that a file with many chunks
    /// cannot fill memory.
    mutating func recordMetadata(kind: MetadataItem.Kind, range: Range<Int>) {
        if let last, last.kind == kind, last.range.upperBound == range.lowerBound {
            self[count - 1].range = last.range.lowerBound..<range.upperBound
        } else if count < 1000 {
            append(MetadataItem(kind: kind, range: range))
        }
    }
}

extension BufferedFileReader {
    /// Returns whether a text chunk contains text of the user. SoX writes its own name if there is no comment.
    mutating func chunkContainsUserText(_ chunk: Chunk) throws(AudioError) -> Bool {
        let text = try bytes(at: chunk.contentOffset, count: min(chunk.availableSize, 64)) ?? []
        let sox = Array("Processed by SoX".utf8)
        if text.allSatisfy({ $0 == 0 }) { return false }
        // In AIFF's `COMT`, a count, a time stamp, a marker and a length precede the text: 10 bytes.
        return !text.starts(with: sox) && !text.dropFirst(10).starts(with: sox)
    }
}
