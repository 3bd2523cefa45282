/// The frames of AMR and AMR-WB, 20 ms each, as they are stored: RFC 4867, 5.3. The first byte says how long one is.
enum AMRFrame {
    /// Bytes of a frame of each type, that of the header included; 0 for types that are reserved. 8 in the narrow band
    /// and 9 in the wide are comfort noise, 14 is a lost frame, 15 one without data: 3GPP TS 26.101 and 26.201.
    private static let narrowbandFrameLengths = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
    private static let widebandFrameLengths = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]

    /// Bytes of a frame of each type.
    static func frameLengths(isWideband: Bool) -> [Int] { isWideband ? widebandFrameLengths : narrowbandFrameLengths }
    /// Samples a second.
    static func sampleRate(isWideband: Bool) -> Int { isWideband ? 16_000 : 8000 }
    /// Samples of a frame.
    static func samplesPerFrame(isWideband: Bool) -> Int { sampleRate(isWideband: isWideband) / 50 }
}
