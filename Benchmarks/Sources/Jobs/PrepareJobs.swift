internal import Imaging
internal import Inputs
internal import MediaPrep

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Preparing an image from bytes to bytes, with the entropy decode or the inflate as the floor; and from file to file,
/// with reading the file as the floor.
public enum PrepareJobs {
    /// Photos of phones, and the tasks of published benchmarks.
    public static func all() -> [Job] {
        [
            phone(to: 1024), phone(to: 1600), file,
            synthetic("2725x2225 to 720", 2725, 2225, to: 720),
            synthetic("2560x1600 turned to 1024", 2560, 1600, isTurned: true, to: 1024),
            synthetic("12 MP progressive to 1600", 4032, 3024, isProgressive: true, to: 1600),
            png("2048x1536 png rgba to 720", .rgba, to: 720), png("2048x1536 png rgb to 1600", .rgb, to: 1600),
        ]
    }

    /// The sample of a phone's photo, 12 megapixels.
    public static func phone(to limit: Int) -> Job {
        Job("PrepareImage", "bytes(12 MP to \(limit))", Files.phonePhotoArea, .pixels) {
            let bytes = [UInt8](try Data(contentsOf: Files.phonePhoto))
            return (prepare(bytes, to: limit), Floors.entropyDecode(bytes))
        }
    }

    /// A JPEG file of the caller.
    public static func jpeg(_ path: String, to limit: Int) -> Job {
        let url = URL(filePath: path)
        return Job("PrepareImage", "bytes(\(url.lastPathComponent) to \(limit))", 1, .files) {
            let bytes = [UInt8](try Data(contentsOf: url))
            return (prepare(bytes, to: limit), Floors.entropyDecode(bytes))
        }
    }

    private static var file: Job {
        Job("PrepareImage", "file(12 MP to 1600)", Files.phonePhotoArea, .pixels) {
            let preparer = ImagePreparer(maxDimension: 1600), output = try Files.write([], as: "prepared.jpg")
            let task = { try preparer.prepare(contentsOf: Files.phonePhoto).data.write(to: output) }
            return (task, Floors.read(Files.phonePhoto))
        }
    }

    private static func synthetic(
        _ variant: String, _ width: Int, _ height: Int, isProgressive: Bool = false, isTurned: Bool = false,
        to limit: Int
    ) -> Job {
        Job("PrepareImage", "bytes(\(variant))", width * height, .pixels) {
            let bytes = try JPEGInput(
                .yuv420, isProgressive: isProgressive, size: .init(width: width, height: height),
                orientation: isTurned ? .left : nil
            ).bytes
            return (prepare(bytes, to: limit), Floors.entropyDecode(bytes))
        }
    }

    private static func png(_ variant: String, _ kind: PNGInput.Kind, to limit: Int) -> Job {
        Job("PrepareImage", "bytes(\(variant))", JPEGInput.size.pixelCount, .pixels) {
            let bytes = PNGInput(kind).bytes
            return (prepare(bytes, to: limit), Floors.inflate(bytes))
        }
    }

    private static func prepare(_ bytes: [UInt8], to limit: Int) -> Job.Task {
        let data = Data(bytes), preparer = ImagePreparer(maxDimension: limit)
        return { _ = try preparer.prepare(data) }
    }
}
