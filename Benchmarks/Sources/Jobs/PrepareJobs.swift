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
    /// Images of phones, and the tasks of published benchmarks.
    public static func all() -> [Job] {
        [
            phone(to: 1024), phone(to: 1600), file,
            synthetic("2725x2225 to 720", width: 2725, height: 2225, to: 720),
            synthetic("2560x1600 rotated to 1024", width: 2560, height: 1600, isRotated: true, to: 1024),
            synthetic("12 MP progressive to 1600", width: 4032, height: 3024, isProgressive: true, to: 1600),
            png("2048x1536 png rgba to 720", .rgba, to: 720), png("2048x1536 png rgb to 1600", .rgb, to: 1600),
        ]
    }

    /// The sample image of a phone, 12 megapixels.
    public static func phone(to limit: Int) -> Job {
        Job(area: "PrepareImage", variant: "bytes(12 MP to \(limit))", count: Files.phoneImagePixelCount, unit: .pixels)
        {
            let bytes = [UInt8](try Data(contentsOf: Files.phoneImage))
            return (prepare(bytes, to: limit), Floors.entropyDecode(bytes))
        }
    }

    /// The JPEG file at `path`.
    public static func jpeg(_ path: String, to limit: Int) -> Job {
        let url = URL(filePath: path)
        return Job(area: "PrepareImage", variant: "bytes(\(url.lastPathComponent) to \(limit))", count: 1, unit: .files)
        {
            let bytes = [UInt8](try Data(contentsOf: url))
            return (prepare(bytes, to: limit), Floors.entropyDecode(bytes))
        }
    }

    private static var file: Job {
        Job(area: "PrepareImage", variant: "file(12 MP to 1600)", count: Files.phoneImagePixelCount, unit: .pixels) {
            let preparer = ImagePreparer(maxDimension: 1600), output = try Files.write([], as: "prepared.jpg")
            let task = { try preparer.prepare(contentsOf: Files.phoneImage).data.write(to: output) }
            return (task, Floors.read(Files.phoneImage))
        }
    }

    private static func synthetic(
        _ variant: String, width: Int, height: Int, isProgressive: Bool = false, isRotated: Bool = false,
        to limit: Int
    ) -> Job {
        Job(area: "PrepareImage", variant: "bytes(\(variant))", count: width * height, unit: .pixels) {
            let bytes = try JPEGInput(
                .yuv420, isProgressive: isProgressive, size: .init(width: width, height: height),
                orientation: isRotated ? .left : nil
            ).bytes
            return (prepare(bytes, to: limit), Floors.entropyDecode(bytes))
        }
    }

    private static func png(_ variant: String, _ kind: PNGInput.Kind, to limit: Int) -> Job {
        Job(area: "PrepareImage", variant: "bytes(\(variant))", count: JPEGInput.size.pixelCount, unit: .pixels) {
            let bytes = PNGInput(kind).bytes
            return (prepare(bytes, to: limit), Floors.inflate(bytes))
        }
    }

    private static func prepare(_ bytes: [UInt8], to limit: Int) -> Job.Task {
        let data = Data(bytes), preparer = ImagePreparer(maxDimension: limit)
        return { _ = try preparer.prepare(data) }
    }
}
