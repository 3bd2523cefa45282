public import Foundation

/// The repository's sample media, which the scripts in `SampleMedia` make.
public enum SampleMedia {
    /// The repository's top directory.
    public static let repositoryURL = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The directory of good images.
    public static let goodImagesDirectory = repositoryURL.appending(path: "Samples/photos")

    /// The directory of good recordings.
    public static let goodAudioDirectory = repositoryURL.appending(path: "Samples/recordings")

    /// A good recording.
    public static func goodAudio(named name: String) -> URL { goodAudioDirectory.appending(path: name) }

    /// A good image.
    public static func goodImage(named name: String) -> URL { goodImagesDirectory.appending(path: name) }

    /// A HEIC or AVIF image, or its painting as PNG.
    public static func heifSample(named name: String) -> URL {
        repositoryURL.appending(path: "Samples/heif/\(name)")
    }

    /// A file that is no image, or not all of one.
    public static func damagedFile(named name: String) -> URL {
        repositoryURL.appending(path: "Samples/damaged/\(name)")
    }

    /// The names of all good images, as the directory has them, in the order of their bytes.
    public static func goodImageNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: goodImagesDirectory.path).filter { !$0.hasPrefix(".") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Texts that the script hides in the images and that must not be in anything made of them: in Exif's fields and
    /// the maker's note, in XMP, in comments, behind the end; and the names that such blocks begin with.
    public static let privateTexts = [
        "Nimbus Example Works", "Paperphone 3", "2024:05:17 09:41:23", "FICTIVE", "SN-000-EXAMPLE", "Invented",
        "TRAILING BYTES", "http://ns.adobe.com/xap/1.0/", "GPSLatitude", "Exif\0\0", "tEXt",
    ]

    /// Those of the private texts that are in `data`.
    public static func privateTextsFound(in data: Data) -> Set<String> {
        Set(privateTexts.filter { data.range(of: Data($0.utf8)) != nil })
    }
}
