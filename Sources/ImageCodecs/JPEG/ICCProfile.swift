/// The colour profile of a JPEG, put together from its segments.
///
/// Source: ICC.1:2022, B.4.
struct ICCProfile {
    /// The profile; nil if there is none, none that can be used, or an empty one.
    private(set) var bytes: [UInt8]?
    /// Why there is a profile that isn't used.
    private(set) var warning: CodecWarning?

    private static let name = "ICC_PROFILE\0"

    init(_ structure: JPEGStructure, of file: [UInt8], limit: Int) {
        let segments = structure.applications(Marker.icc, named: Self.name)
        guard let first = segments.first else { return }
        let size = segments.reduce(0) { $0 + max(0, $1.count - 2) }
        if size > limit {
            warning = CodecWarning(
                "icc-dropped", offset: first.lowerBound,
                "the colour profile of \(size) bytes exceeds the \(limit) allowed")
            return
        }
        guard let profile = Self.assembled(segments, of: file) else {
            warning = CodecWarning("icc-dropped", offset: first.lowerBound, "parts of the colour profile are missing")
            return
        }
        if !profile.isEmpty { bytes = profile }
    }

    /// The chunks in the order of their numbers, which start at 1; nil unless each is there once.
    private static func assembled(_ segments: [Range<Int>], of file: [UInt8]) -> [UInt8]? {
        var chunks: [Int: Range<Int>] = [:]
        for segment in segments {
            var reader = ByteReader(file, in: segment)
            guard let number = reader.uint8(), let count = reader.uint8(), count == segments.count,
                (1...count).contains(number),
                chunks.updateValue(reader.position..<segment.upperBound, forKey: number) == nil
            else { return nil }
        }
        return (1...segments.count).reduce(into: []) { profile, number in
            if let range = chunks[number] { profile += file[range] }
        }
    }
}
