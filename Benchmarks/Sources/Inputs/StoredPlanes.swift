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
        public var chromaSubsampling: ChromaSubsampling {
            switch self {
            case .yuv420: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)
            case .yuv422: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 1)
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
    /// - Parameter fillsRingsOnce: whether only the rows that fill the buffer are made and delivered, which is then
    ///   left as it is. A real decoder leaves its rows warm in the cache, too; to copy them here would cost a fifth of
    ///   what the resampler does.
    public init(_ size: PixelSize, _ sampling: Sampling, fillsRingsOnce: Bool = false) {
        let (across, down) = (sampling.chromaSubsampling.horizontalFactor, sampling.chromaSubsampling.verticalFactor)
        let units = (size.width + 8 * across - 1) / (8 * across)
        let luma = PlaneLayout.ComponentLayout(
            horizontalSampling: across, verticalSampling: down, paddedWidth: units * 8 * across, batchRowCount: 8 * down
        )
        let chroma = PlaneLayout.ComponentLayout(
            horizontalSampling: 1, verticalSampling: 1, paddedWidth: units * 8, batchRowCount: 8)
        layout = PlaneLayout(storedSize: size, components: sampling == .gray ? [luma] : [luma, chroma, chroma])
        self.fillsRingsOnce = fillsRingsOnce
        // No buffer keeps more rows than that, at the ratios that are measured.
        let batches = fillsRingsOnce ? 16 : (size.height + 8 * down - 1) / (8 * down)
        planes = layout.components.enumerated().map { index, component in
            Scene.plane(
                width: component.paddedWidth, height: batches * component.batchRowCount, isLuma: index == 0,
                seed: UInt64(index + 1))
        }
    }

    /// Copies the next rows of each plane.
    public mutating func decodeRowBatch(into buffer: inout RowRingBuffer) {
        for (index, component) in layout.components.enumerated() {
            let ring = buffer.rings[index], plane = planes[index], width = component.paddedWidth
            if fillsRingsOnce && ring.writtenRowCount >= ring.rowCapacity { continue }
            for row in 0..<ring.batchRowCount {
                let source = (ring.writtenRowCount + row) * width, target = ring.nextBatchOffset + row * ring.stride
                buffer.bytes.replaceSubrange(target..<target + width, with: plane[source..<source + width])
            }
        }
    }

    /// The image that the planes are, not resized.
    public var image: PlanarImage {
        var decoder = self
        return ResampleRequest(size: layout.storedSize, minChromaSubsampling: decoder.leastSubsampling)
            .resampleImage(from: &decoder)
    }

    private var leastSubsampling: ChromaSubsampling {
        ChromaSubsampling(horizontalFactor: layout.maxHorizontalSampling, verticalFactor: layout.maxVerticalSampling)
    }
}
