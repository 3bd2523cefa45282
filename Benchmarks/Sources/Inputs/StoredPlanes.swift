public import Imaging

/// Planes in memory, in the place of a decoder: the resampler alone, without what feeds it.
public struct StoredPlanes: PlaneDecoder {
    /// What is kept for one JPEG sampling.
    public enum Sampling: String, CaseIterable, Sendable {
        /// Chroma at half the width and half the height.
        case yuv420 = "420"
        /// Chroma at half the width.
        case yuv422 = "422"
        /// All components at full size.
        case yuv444 = "444"
        /// One component.
        case gray

        /// Pixels for a sample of chroma.
        public var reduction: ChromaReduction {
            switch self {
            case .yuv420: ChromaReduction(horizontal: 2, vertical: 2)
            case .yuv422: ChromaReduction(horizontal: 2, vertical: 1)
            case .yuv444, .gray: .none
            }
        }
    }

    /// The planes, as a JPEG decoder would deliver them: in rows of whole minimum coded units.
    public let layout: PlaneLayout
    private let planes: [[UInt8]]
    private let fillsRingsOnce: Bool

    /// A synthetic photograph of `size` pixels.
    ///
    /// - Parameter fillsRingsOnce: whether only the rows that fill the window are made and delivered, which is then
    ///   left as it is. A real decoder leaves its rows warm in the cache, too; to copy them here would cost a fifth of
    ///   what the resampler does.
    public init(_ size: PixelSize, _ sampling: Sampling, fillsRingsOnce: Bool = false) {
        let (across, down) = (sampling.reduction.horizontal, sampling.reduction.vertical)
        let units = (size.width + 8 * across - 1) / (8 * across)
        let luma = PlaneLayout.Component(
            horizontal: across, vertical: down, storedWidth: units * 8 * across, batchRows: 8 * down)
        let chroma = PlaneLayout.Component(horizontal: 1, vertical: 1, storedWidth: units * 8, batchRows: 8)
        layout = PlaneLayout(size: size, components: sampling == .gray ? [luma] : [luma, chroma, chroma])
        self.fillsRingsOnce = fillsRingsOnce
        // No window keeps more rows than that, at the ratios that are measured.
        let batches = fillsRingsOnce ? 16 : (size.height + 8 * down - 1) / (8 * down)
        planes = layout.components.enumerated().map { index, component in
            Scene.plane(
                width: component.storedWidth, height: batches * component.batchRows, isLuma: index == 0,
                seed: UInt64(index + 1))
        }
    }

    /// Copies the next rows of each plane.
    public mutating func readBatch(into window: inout RowWindow) {
        for (index, component) in layout.components.enumerated() {
            let ring = window.rings[index], plane = planes[index], width = component.storedWidth
            if fillsRingsOnce && ring.end >= ring.capacity { continue }
            for row in 0..<ring.batch {
                let source = (ring.end + row) * width, target = ring.nextBatch + row * ring.stride
                window.bytes.replaceSubrange(target..<target + width, with: plane[source..<source + width])
            }
        }
    }

    /// The picture that the planes are, not resized.
    public var picture: Picture {
        var decoder = self
        return Resampling(size: layout.size, chroma: decoder.leastReduction).picture(from: &decoder)
    }

    private var leastReduction: ChromaReduction {
        ChromaReduction(horizontal: layout.maxHorizontal, vertical: layout.maxVertical)
    }
}
