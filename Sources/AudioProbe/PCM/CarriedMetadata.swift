extension [MetadataItem] {
    /// Notes that the bytes `range` are of a kind. What follows its like directly is one item with it, and beyond 1,000
    /// no more are listed: chunks without number must not fill memory.
    mutating func recordMetadata(kind: MetadataItem.Kind, range: Range<Int>) {
        if let last, last.kind == kind, last.range.upperBound == range.lowerBound {
            self[count - 1].range = last.range.lowerBound..<range.upperBound
        } else if count < 1000 {
            append(MetadataItem(kind: kind, range: range))
        }
    }
}

extension BufferedFileReader {
    /// Whether the text that is `chunk`'s content says anything: SoX writes its own name where it is given no comment.
    mutating func chunkContainsUserText(_ chunk: Chunk) throws(AudioError) -> Bool {
        let text = try bytes(at: chunk.contentOffset, count: min(chunk.availableSize, 64)) ?? []
        let sox = Array("Processed by SoX".utf8)
        if text.allSatisfy({ $0 == 0 }) { return false }
        // In AIFF's `COMT` a count, a time stamp, a marker and a length stand before the text.
        return !text.starts(with: sox) && !text.dropFirst(10).starts(with: sox)
    }
}
