/// The colour profile of a JPEG, put together from its segments.
///
/// Source: ICC.1:2022, B.4.
struct ICCProfile {
    /// The profile; nil if there is none, none that can be used, or an empty one.
    private(set) var bytes: [UInt8]?
    /// Why there is a profile that isn't used.
    private(set) var warning: CodecWarning?

    private static let segmentIdentifier = "ICC_PROFILE\0"

    init(structure: JPEGStructure, fileBytes file: [UInt8], maxByteCount: Int) {
        let segments = structure.applicationPayloads(marker: JPEGMarker.app2ICC, identifier: Self.segmentIdentifier)
        guard let first = segments.first else { return }
        let size = segments.reduce(0) { $0 + max(0, $1.count - 2) }
        if size > maxByteCount {
            warning = CodecWarning(
                code: "icc-dropped", offset: first.lowerBound,
                message: "the colour profile of \(size) bytes exceeds the \(maxByteCount) allowed")
            return
        }
        guard let profile = Self.assembleChunks(at: segments, in: file) else {
            warning = CodecWarning(
                code: "icc-dropped", offset: first.lowerBound, message: "parts of the colour profile are missing")
            return
        }
        if !profile.isEmpty { bytes = profile }
    }

    /// The chunks in the order of their numbers, which start at 1; nil unless each is there once.
    private static func assembleChunks(at segments: [Range<Int>], in file: [UInt8]) -> [UInt8]? {
        var chunks: [Int: Range<Int>] = [:]
        for segment in segments {
            var reader = ByteReader(file, in: segment)
            guard let number = reader.readUInt8(), let count = reader.readUInt8(), count == segments.count,
                (1...count).contains(number),
                chunks.updateValue(reader.position..<segment.upperBound, forKey: number) == nil
            else { return nil }
        }
        return (1...segments.count).reduce(into: []) { profile, number in
            if let range = chunks[number] { profile += file[range] }
        }
    }
}
