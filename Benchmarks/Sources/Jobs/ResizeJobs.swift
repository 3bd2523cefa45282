public import Imaging
internal import Inputs

/// The resampler alone, on rows in memory: 12 megapixels, 4:2:0.
public enum ResizeJobs {
    private static let size = PixelSize(width: 4032, height: 3024)

    /// Each filter, at three ratios, with each instruction set that this processor has.
    public static func all() -> [Job] {
        ResampleFilter.allCases.flatMap { filter in
            [1024, 1600, 3200].flatMap { limit in
                InstructionSet.allCases.filter(\.isAvailable).map { job(filter, to: limit, instructionSet: $0) }
            }
        }
    }

    /// An image of at most `limit` pixels on a side.
    public static func job(_ filter: ResampleFilter, to limit: Int, instructionSet set: InstructionSet) -> Job {
        Job(area: "Resize", variant: "\(filter)(12 MP to \(limit), \(set))", count: size.pixelCount, unit: .pixels) {
            let planes = StoredPlanes(size, .yuv420, fillsRingsOnce: true)
            let request = ResampleRequest(
                size: size.scaledDown(toLongerSide: limit), filter: filter, instructionSet: set)
            return ({ _ = request.resampleImage(from: planes) }, nil)
        }
    }
}

extension ResampleRequest {
    /// Resamples planes from their first row.
    fileprivate func resampleImage(from planes: StoredPlanes) -> PlanarImage {
        var source = planes
        return resampleImage(from: &source)
    }
}
