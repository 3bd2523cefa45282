internal import Diagnostics

/// The ICC profile of a JPEG, which consists of chunks in several segments.
///
/// Source: ICC.1:2022, B.4.
struct ICCProfile {
    /// One segment's part of the profile.
    struct Chunk {
        /// The position in the profile, from 1, and the number of chunks; `nil` if the segment is too short.
        let number, chunkCount: Int?
        /// The range after the segment's identifier: the two numbers, and the part of the profile.
        let range: Range<Int>

        /// Reads the chunk at `range`, which begins after the segment's identifier.
        init(fileBytes bytes: [UInt8], range: Range<Int>) {
            var reader = ByteReader(bytes, in: range)
            self.range = range
            number = reader.readUInt8()
            chunkCount = reader.readUInt8()
        }

        var profileRange: Range<Int> { min(range.lowerBound + 2, range.upperBound)..<range.upperBound }
    }

    static let segmentIdentifier = "ICC_PROFILE\0"

    /// The ranges in the file that make up the profile; empty if it is missing, incomplete, too large or empty.
    private var ranges: [Range<Int>] = []
    /// A warning if the profile is incomplete or too large.
    private(set) var warning: Diagnostic?

    /// Creates a profile from its chunks in the order of the file.
    init(chunks: [Chunk], maxByteCount: Int) {
        guard let first = chunks.first else { return }
        let size = chunks.reduce(0) { $0 + $1.profileRange.count }
        if size > maxByteCount {
            warning = Diagnostic(
                .profileDropped, offset: first.range.lowerBound,
                message: "the color profile is too large: \(size) bytes (at most \(maxByteCount))")
        } else if let ordered = Self.orderedRanges(of: chunks) {
            ranges = size > 0 ? ordered : []
        } else {
            warning = Diagnostic(
                .profileDropped, offset: first.range.lowerBound, message: "parts of the color profile are missing")
        }
    }

    /// Whether there is a profile that can be used.
    var isPresent: Bool { !ranges.isEmpty }

    /// The size of the profile, in bytes; 0 if there is none.
    var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Returns the profile in `file`, or `nil` if there is none.
    func bytes(in file: [UInt8]) -> [UInt8]? { isPresent ? ranges.flatMap { file[$0] } : nil }

    /// Returns the ranges in the order of the chunks' numbers, from 1, or `nil` unless each number occurs exactly once.
    private static func orderedRanges(of chunks: [Chunk]) -> [Range<Int>]? {
        var ranges: [Int: Range<Int>] = [:]
        for chunk in chunks {
            guard let number = chunk.number, chunk.chunkCount == chunks.count, (1...chunks.count).contains(number),
                ranges.updateValue(chunk.profileRange, forKey: number) == nil
            else { return nil }
        }
        return (1...chunks.count).compactMap { ranges[$0] }
    }
}
