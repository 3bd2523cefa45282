/// Stored frames of AMR and AMR-WB: RFC 4867, section 5.3. Each contains 20 ms, and its first byte determines its size.
enum AMRFrame {
    /// Bytes of a frame of each type, including the header; 0 for reserved types.
    ///
    /// Type 8 (narrowband) or 9 (wideband) is comfort noise, 14 is a lost frame, 15 has no data: 3GPP TS 26.101 and
    /// 26.201.
    private static let narrowbandFrameLengths = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
    private static let widebandFrameLengths = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]

    /// Returns the bytes of a frame of each type, including the header; 0 for reserved types.
    static func frameLengths(isWideband: Bool) -> [Int] { isWideband ? widebandFrameLengths : narrowbandFrameLengths }
    /// Returns the samples per second, in Hz.
    static func sampleRate(isWideband: Bool) -> Int { isWideband ? 16_000 : 8000 }
    /// Returns the samples in a frame.
    static func samplesPerFrame(isWideband: Bool) -> Int { sampleRate(isWideband: isWideband) / 50 }
}
