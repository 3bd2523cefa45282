import Imaging
import TestSupport

#if WebP
    /// Small WebP files of each kind.
    enum SmallWebPs {
        static let size = PixelSize(width: 37, height: 29)

        enum Kind: CaseIterable {
            case lossy, lossyWithAlpha, lossless, losslessWithAlpha, animation

            func builder(size: PixelSize = SmallWebPs.size) throws -> WebPBuilder {
                switch self {
                case .lossy: WebPBuilder(size: size, imageData: try LibWebP.encode(planes: texture(size), size: size))
                case .lossyWithAlpha:
                    WebPBuilder(
                        size: size,
                        imageData: try LibWebP.encode(size: size, isLossless: false, pixel: translucentPixel),
                        flags: WebPBuilder.Flag.alpha)
                case .lossless:
                    WebPBuilder(size: size, imageData: try LibWebP.encode(size: size, isLossless: true, pixel: pixel))
                case .losslessWithAlpha:
                    WebPBuilder(
                        size: size, imageData: try LibWebP.encode(size: size, isLossless: true, pixel: translucentPixel)
                    )
                case .animation: try SmallWebPs.animation(size: size)
                }
            }
        }

        /// Two images, the first of which covers the canvas.
        private static func animation(size: PixelSize) throws -> WebPBuilder {
            let first = try LibWebP.encode(planes: texture(size), size: size)
            let second = try LibWebP.encode(size: size, isLossless: true, pixel: pixel)
            return WebPBuilder(size: size, imageData: [], flags: WebPBuilder.Flag.animation).modified {
                $0.chunksBeforeImageData = [WebPBuilder.Chunk(type: "ANIM", payload: [0, 0, 0, 0, 0, 0])]
                $0.chunksAfterImageData = [first, second].map { WebPBuilder.makeFrame(size: size, imageData: $0) }
            }
        }

        /// Planes of limited range with edges and gradients.
        static func texture(_ size: PixelSize) -> [Plane] {
            let chroma = PixelSize(
                width: size.width.dividedRoundingUp(by: 2), height: size.height.dividedRoundingUp(by: 2))
            return [size, chroma, chroma].enumerated().map { c, size in
                var plane = Plane(width: size.width, height: size.height)
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let value = c == 0 ? (x * 13 + y * 7 + x * y) % 220 : 40 + (x * (5 + c) + y * 9) % 160
                        plane.samples[y * plane.stride + x] = UInt8(16 + value)
                    }
                }
                return plane
            }
        }

        static func pixel(x: Int, y: Int) -> [Int] { [x * 6 % 256, y * 8 % 256, (x * y) % 256] }

        /// Opaque in the middle, transparent at the top, and half of each elsewhere.
        static func translucentPixel(x: Int, y: Int) -> [Int] {
            pixel(x: x, y: y) + [y < 6 ? 0 : x < 20 ? 255 : 100 + x]
        }
    }
#endif
