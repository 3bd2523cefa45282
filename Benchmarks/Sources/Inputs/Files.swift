#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Inputs that are files.
public enum Files {
    /// The directory of the parent package.
    public static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Returns an image of the repository's samples.
    public static func sampleImage(_ name: String) -> URL { repository.appending(path: "Samples/photos/\(name)") }

    /// Returns an audio file of the repository's samples.
    public static func sampleAudio(_ name: String) -> URL { repository.appending(path: "Samples/recordings/\(name)") }

    /// An image of a phone: 12 megapixels, baseline, 4:2:0, rotated by 90°.
    public static let phoneImage = sampleImage("throat-12mp.jpg")
    /// The number of its pixels.
    public static let phoneImagePixelCount = 4032 * 3024

    /// The command `prep` that the parent package has built, or the program that the variable `PREP` names.
    public static let prep =
        ProcessInfo.processInfo.environment["PREP"].map { URL(filePath: $0) }
        ?? repository.appending(path: ".build/release/prep")

    /// The directory for inputs and outputs, which is removed with the build products.
    public static let directory = repository.appending(path: "Benchmarks/.build/inputs")

    /// Writes a file into ``directory``.
    public static func write(_ bytes: [UInt8], as name: String) throws -> URL {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let url = directory.appending(path: name)
        try Data(bytes).write(to: url)
        return url
    }
}
