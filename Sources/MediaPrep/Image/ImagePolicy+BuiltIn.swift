extension ImagePolicy {
    /// The policies that have a name: `throat` and `ear`. Their rules only warn.
    public static let builtIn: [String: ImagePolicy] = ["throat": throat, "ear": ear]

    /// The rules for photos of a throat.
    ///
    /// The limits are those that 64 photos of all kinds keep: no photos of throats were measured.
    public static let throat = ImagePolicy([
        .tooBlurred: Rule(limit: 0.17, action: .warn), .tooDark: Rule(limit: 45, action: .warn),
        .tooBright: Rule(limit: 215, action: .warn), .glare: Rule(limit: 0.3, action: .warn),
        .lowContrast: Rule(limit: 0.15, action: .warn), .tooNoisy: Rule(limit: 5, action: .warn),
        .tooCompressed: Rule(limit: 2.5, action: .warn), .tooSmall: Rule(limit: 480, action: .warn),
        .upscaled: Rule(limit: 0.4, action: .warn),
    ])

    /// The rules for images of an otoscope.
    ///
    /// The limits are between the measures of 51 good frames of otoscopes and those of the same frames with a fault:
    /// defocus by a radius of 3 samples, motion by 11, two stops of exposure, noise with a standard deviation of 6, and
    /// quality 20.
    public static let ear = ImagePolicy([
        .tooBlurred: Rule(limit: 0.125, action: .warn), .tooDark: Rule(limit: 105, action: .warn),
        .tooBright: Rule(limit: 180, action: .warn), .glare: Rule(limit: 0.3, action: .warn),
        .lowContrast: Rule(limit: 0.2, action: .warn), .tooNoisy: Rule(limit: 3, action: .warn),
        .tooCompressed: Rule(limit: 1.8, action: .warn), .tooSmall: Rule(limit: 300, action: .warn),
        .upscaled: Rule(limit: 0.41, action: .warn), .noFieldOfView: Rule(limit: 0.2, action: .warn),
    ])
}
