internal import Diagnostics

/// The ICC profile of a JPEG, assembled from its segments.
///
/// Source: ICC.1:2022, B.4.
struct ICCProfile {
    /// The profile; `nil` if it is missing, incomplete, too large or empty.
    private(set) var bytes: [UInt8]?
    /// A warning if the profile is incomplete or too large.
    private(set) var warning: Diagnostic?

    private static let segmentIdentifier = "ICC_PROFILE\0"

    init(structure: JPEGStructure, fileBytes file: [UInt8], maxByteCount: Int) {
        let segments = structure.applicationPayloads(marker: JPEGMarker.app2ICC, identifier: Self.segmentIdentifier)
        guard let first = segments.first else { return }
        let size = segments.reduce(0) { $0 + max(0, $1.count - 2) }
        if size > maxByteCount {
            warning = Diagnostic(
                .profileDropped, offset: first.lowerBound,
                message: "the colour profile of \(size) bytes exceeds the \(maxByteCount) allowed")
            return
        }
        guard let profile = Self.assembleChunks(at: segments, in: file) else {
            warning = Diagnostic(
                .profileDropped, offset: first.lowerBound, message: "parts of the colour profile are missing")
            return
        }
        if !profile.isEmpty { bytes = profile }
    }

    /// Returns the chunks in the order of their numbers, from 1, or `nil` unless each number occurs exactly once.
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
