internal import ImageCodecs
internal import Imaging
internal import Inputs

/// Decoding, followed by a box filter to an eighth, which reads each sample once and takes a twentieth of the time. The
/// floor is the entropy decode or the inflate.
public enum DecodeJobs {
    /// JPEGs of each sampling and process, and PNGs of each kind.
    public static func all() -> [Job] {
        let jpegs = [false, true].flatMap { isProgressive in
            StoredPlanes.Sampling.allCases.map { jpeg($0, isProgressive: isProgressive) }
        }
        return jpegs + PNGInput.Kind.allCases.map(png)
    }

    private static func jpeg(_ sampling: StoredPlanes.Sampling, isProgressive: Bool) -> Job {
        let process = isProgressive ? "progressive" : "baseline"
        return Job(
            area: "Decode", variant: "jpeg(\(sampling.rawValue) \(process))", count: JPEGInput.size.pixelCount,
            unit: .pixels
        ) {
            let bytes = try JPEGInput(sampling, isProgressive: isProgressive).bytes
            return (decode(bytes), Floors.entropyDecode(bytes))
        }
    }

    private static func png(_ kind: PNGInput.Kind) -> Job {
        Job(area: "Decode", variant: "png(\(kind.rawValue))", count: JPEGInput.size.pixelCount, unit: .pixels) {
            let bytes = PNGInput(kind).bytes
            return (decode(bytes), Floors.inflate(bytes))
        }
    }

    private static func decode(_ bytes: [UInt8]) -> Job.Task {
        let (width, height) = (JPEGInput.size.width / 8, JPEGInput.size.height / 8)
        let request = ResampleRequest(size: PixelSize(width: width, height: height), filter: .box)
        return { _ = try ImageSource(bytes).decode(resampling: request) }
    }
}
