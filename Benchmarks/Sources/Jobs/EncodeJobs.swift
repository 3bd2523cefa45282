internal import ImageCodecs
internal import Imaging
internal import Inputs

/// Encoding an image in memory; the floor is the entropy encode of its coefficients.
public enum EncodeJobs {
    /// With chroma at half size and at full size, in one scan and progressively.
    public static func all() -> [Job] {
        [false, true].flatMap { isProgressive in
            [StoredPlanes.Sampling.yuv420, .yuv444].map { job($0, isProgressive: isProgressive) }
        }
    }

    private static func job(_ sampling: StoredPlanes.Sampling, isProgressive: Bool) -> Job {
        let process = isProgressive ? "progressive" : "baseline"
        return Job(
            area: "Encode", variant: "jpeg(\(sampling.rawValue) \(process))", count: JPEGInput.size.pixelCount,
            unit: .pixels
        ) {
            let image = StoredPlanes(JPEGInput.size, sampling).image
            let floor = try Floors.entropyEncode(
                encode(image, isProgressive: isProgressive), isProgressive: isProgressive)
            return ({ _ = try encode(image, isProgressive: isProgressive) }, floor)
        }
    }

    private static func encode(_ image: PlanarImage, isProgressive: Bool) throws -> [UInt8] {
        var encoder = try JPEGEncoder()
        return try encoder.encode(image, iccProfile: nil, options: .init(quality: 80, isProgressive: isProgressive))
    }
}
