internal import AudioProbe
internal import MediaPrep

extension ManifestAudioFields {
    /// Encodes the measures of the decoded audio, or null for each of them.
    func encodeLevels(_ levels: AudioLevels?, into facts: inout KeyedEncodingContainer<CodingKeys>) throws {
        try facts.encode(levels?.peakDBFS, forKey: .peak)
        try facts.encode(levels?.rmsDBFS, forKey: .rms)
        try facts.encode(levels?.clippedSampleCount, forKey: .clippedSamples)
        try facts.encode(levels?.clippedShare.rounded(toDecimals: 6), forKey: .clippedShare)
        try facts.encode(levels?.activeLevelDBFS.rounded(toDecimals: 2), forKey: .activeLevel)
        try facts.encode(levels?.activeShare.rounded(toDecimals: 6), forKey: .activeShare)
        try facts.encode(levels?.silentShare.rounded(toDecimals: 6), forKey: .silentShare)
        try facts.encode(levels?.noiseFloorDBFS?.rounded(toDecimals: 2), forKey: .noiseFloor)
        try facts.encode(levels?.signalToNoiseDB?.rounded(toDecimals: 2), forKey: .signalToNoise)
        try facts.encode(levels?.dcOffset.rounded(toDecimals: 6), forKey: .dcOffset)
        try facts.encode(levels?.deadChannels, forKey: .deadChannels)
    }

    /// A line for each measure of the decoded audio, for the terminal; empty if it was not decoded.
    package var levelLines: [String] {
        guard let levels = report.levels else { return [] }
        func percent(_ share: Double, fractionDigits: Int = 1) -> String {
            DecimalFormat.string(from: 100 * share, fractionDigits: fractionDigits) + "%"
        }
        func decibels(_ value: Double, unit: String) -> String {
            "\(DecimalFormat.string(from: value, fractionDigits: 1)) \(unit)"
        }
        let dead = levels.deadChannels.map(String.init).joined(separator: ", ")
        return [
            "clipped        \(percent(levels.clippedShare, fractionDigits: 3)) of the samples",
            "sound          \(percent(levels.activeShare)) of the time above the noise floor",
            "silence        \(percent(levels.silentShare)) of the time",
            "level          \(decibels(levels.activeLevelDBFS, unit: "dBFS"))",
            "noise floor    \(levels.noiseFloorDBFS.map { decibels($0, unit: "dBFS") } ?? "unknown")",
            "signal/noise   \(levels.signalToNoiseDB.map { decibels($0, unit: "dB") } ?? "unknown")",
            "DC offset      \(percent(levels.dcOffset, fractionDigits: 2)) of full scale",
            "dead channels  \(dead.isEmpty ? "none" : dead)",
        ]
    }
}
