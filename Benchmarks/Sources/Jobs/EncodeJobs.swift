internal import ImageCodecs
internal import Imaging
internal import Inputs

/// Encoding a picture that is in memory, against the entropy encode alone of the coefficients that it becomes.
public enum EncodeJobs {
    /// With chroma at half size and at full size, in one scan and progressively.
    public static func all() -> [Job] {
        [false, true].flatMap { isProgressive in
            [StoredPlanes.Sampling.yuv420, .yuv444].map { job($0, isProgressive: isProgressive) }
        }
    }

    private static func job(_ sampling: StoredPlanes.Sampling, isProgressive: Bool) -> Job {
        let process = isProgressive ? "progressive" : "baseline"
        return Job("Encode", "jpeg(\(sampling.rawValue) \(process))", JPEGInput.size.area, .pixels) {
            let picture = StoredPlanes(JPEGInput.size, sampling).picture
            let floor = try Floors.entropyEncode(encode(picture, isProgressive), isProgressive: isProgressive)
            return ({ _ = try encode(picture, isProgressive) }, floor)
        }
    }

    private static func encode(_ picture: Picture, _ isProgressive: Bool) throws -> [UInt8] {
        var encoder = try JPEGEncoder()
        return try encoder.encode(picture, icc: nil, .init(quality: 80, isProgressive: isProgressive))
    }
}
