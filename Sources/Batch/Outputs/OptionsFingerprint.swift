internal import JSONValues
internal import MediaPrep
internal import SHA256
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Everything that a result depends on besides its input.
struct OptionsFingerprint: Encodable {
    var images: ImageOptions
    var recordings: AudioOptions
    var keepsDates: Bool
    var isPublic: Bool
    var revision = MediaPipeline.resultRevision

    /// The members of revision 1. Its fingerprints include no other members.
    private static let firstRevisionKeys: Set<String> = [
        "images", "recordings", "keepsDates", "revision", "limits", "allowsTruncated",
        "maxDimension", "quality", "chroma", "filter", "maxBytes", "minQuality", "minSavings", "isProgressive",
        "background", "red", "green", "blue", "allowsDamaged", "inputBytes", "pixels", "dimension", "scans",
        "scanPixels", "arithmeticBytes", "iccBytes", "decodedBytes", "segments",
        "policy", "isQuick", "measuresLevels", "verifiesDuration", "containers", "codecs", "min_seconds", "max_seconds",
        "sample_rates", "channels", "max_bytes", "rejects_silence", "nesting", "elements", "tracks", "headerBytes",
        "searchBytes", "decodedSamples",
    ]

    /// Returns a digest of the options.
    func digestBytes() throws -> [UInt8] { try Self.digest(of: self) }

    /// Returns the digests of the same options in this revision and all earlier ones, with any handling of dates and
    /// permissions. These two options do not affect the content of outputs.
    func equivalentDigests() throws -> Set<[UInt8]> {
        var digests: Set<[UInt8]> = []
        for revision in 1...max(revision, 1) {
            for (keepsDates, isPublic) in [(false, false), (false, true), (true, false), (true, true)] {
                var other = self
                (other.revision, other.keepsDates, other.isPublic) = (revision, keepsDates, isPublic)
                // Before revision 4 there was no such option, and images were prepared as with `keep`.
                if revision < 4 { other.images.color = .srgb }
                // Before revision 4, the default was 4:2:0.
                if revision < 4, other.images.chroma == .automatic { other.images.chroma = .yuv420 }
                let json = try JSONDecoder().decode(JSONValue.self, from: try Self.sortedJSON(encoding: other))
                digests.insert(
                    try Self.digest(of: revision == 1 ? json.keepingMembers(named: Self.firstRevisionKeys) : json))
            }
        }
        return digests
    }

    private static func sortedJSON(encoding value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    private static func digest(of value: some Encodable) throws -> [UInt8] {
        let json = Array(try sortedJSON(encoding: value))
        return Array(SHA256Hasher(hashing: json).hexDigest().utf8.prefix(32))
    }
}

extension JSONValue {
    /// Returns the value without object members of other names, at any depth.
    fileprivate func keepingMembers(named names: Set<String>) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.key) }.mapValues { $0.keepingMembers(named: names) })
    }
}
