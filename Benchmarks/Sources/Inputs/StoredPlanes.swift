public import Imaging

/// A decoder whose planes are in memory, to measure the resampler alone.
public struct StoredPlanes: PlaneDecoder {
    /// A chroma sampling of JPEG.
    public enum Sampling: String, CaseIterable, Sendable {
        /// Chroma at half the width and half the height.
        case yuv420 = "420"
        /// Chroma at half the width.
        case yuv422 = "422"
        /// All components at full size.
        case yuv444 = "444"
        /// One component.
        case gray

        /// The number of pixels per chroma sample.
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

    /// Creates the planes of a synthetic photograph.
    ///
    /// - Parameter fillsRingsOnce: whether only the rows that fill the buffer are made and delivered. Later calls then
    ///   leave the buffer unchanged. The rows of a real decoder are in the cache as well. Copying them here would take
    ///   a fifth of the resampler's time.
    public init(_ size: PixelSize, _ sampling: Sampling, fillsRingsOnce: Bool = false) {
        let (across, down) = (sampling.chromaSubsampling.horizontalFactor, sampling.chromaSubsampling.verticalFactor)
        let units = (size.width + 8 * across - 1) / (8 * across)
        let luma = PlaneLayout.ComponentSampling(
            horizontalSampling: across, verticalSampling: down, paddedWidth: units * 8 * across, batchRowCount: 8 * down
        )
        let chroma = PlaneLayout.ComponentSampling(
            horizontalSampling: 1, verticalSampling: 1, paddedWidth: units * 8, batchRowCount: 8)
        layout = PlaneLayout(storedSize: size, components: sampling == .gray ? [luma] : [luma, chroma, chroma])
        self.fillsRingsOnce = fillsRingsOnce
        // No buffer keeps more rows at the measured ratios.
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

    /// The image of the planes at its full size.
    public var image: PlanarImage {
        var decoder = self
        return ResampleRequest(size: layout.storedSize, minChromaSubsampling: decoder.leastSubsampling)
            .resampleImage(from: &decoder)
    }

    private var leastSubsampling: ChromaSubsampling {
        ChromaSubsampling(horizontalFactor: layout.maxHorizontalSampling, verticalFactor: layout.maxVerticalSampling)
    }
}
