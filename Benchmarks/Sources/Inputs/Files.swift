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

    /// A photo of the repository's samples.
    public static func photo(_ name: String) -> URL { repository.appending(path: "Samples/photos/\(name)") }

    /// A recording of the repository's samples.
    public static func recording(_ name: String) -> URL { repository.appending(path: "Samples/recordings/\(name)") }

    /// A phone's photo: 12 megapixels, baseline, 4:2:0, rotated by a quarter.
    public static let phonePhoto = photo("throat-12mp.jpg")
    /// Its pixels.
    public static let phonePhotoArea = 4032 * 3024

    /// `prep` as the parent package has built it; `PREP` names another.
    public static let prep =
        ProcessInfo.processInfo.environment["PREP"].map { URL(filePath: $0) }
        ?? repository.appending(path: ".build/release/prep")

    /// The directory of inputs and outputs, which is removed with the build products.
    public static let directory = repository.appending(path: "Benchmarks/.build/inputs")

    /// A file of that name with those bytes.
    public static func write(_ bytes: [UInt8], as name: String) throws -> URL {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let url = directory.appending(path: name)
        try Data(bytes).write(to: url)
        return url
    }
}
