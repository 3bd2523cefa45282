import ImageCodecs
import Imaging
import MediaPrep

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The entry point of libFuzzer for images, headers and pixels, prepared as by an application: JPEG, PNG, WebP, and the
/// containers of HEIC and AVIF.
///
/// The result is always an image or a `MediaError`; sanitizers and limits catch anything else. The first byte chooses
/// the options, so that their paths are also fuzzed, and whether the rest is a file or the color profile of one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let choice = bytes.first else { return 0 }
    let isProfile = choice & 32 != 0
    guard let data = isProfile ? imageWithProfile(Array(bytes.dropFirst())) : Data(bytes.dropFirst()) else { return 0 }

    var options = ImageOptions(maxDimension: choice & 1 == 0 ? 64 : nil)
    options.allowsTruncated = choice & 2 != 0
    options.allowsDamaged = choice & 4 != 0
    options.isProgressive = choice & 8 != 0
    options.chroma = choice & 16 != 0 ? .yuv444 : .yuv420
    // Small enough that an input that takes long is a fault.
    options.limits.pixels = 1 << 20
    options.limits.decodedBytes = 32 << 20
    options.limits.scanPixels = 16 << 20

    options.color = choice & 64 != 0 ? .keep : .srgb

    let preparer = ImagePreparer(options)
    _ = try? preparer.probe(data)
    guard let first = try? preparer.prepare(data) else { return 0 }
    precondition(first.width > 0 && first.height > 0 && first.data.starts(with: [0xFF, 0xD8, 0xFF]))
    // A prepared image can be prepared again, and is upright.
    guard let second = try? preparer.prepare(first.data) else { preconditionFailure("the output cannot be decoded") }
    precondition(second.sourceProbe.orientation == .up && second.width == first.width && second.height == first.height)
    return 0
}

/// Returns a small JPEG with the given color profile, or `nil` if the profile is too large.
private func imageWithProfile(_ profile: [UInt8]) -> Data? {
    let isGray = profile.count % 2 == 0
    let planes = (0..<(isGray ? 1 : 3)).map { _ in Plane(width: 16, height: 16) }
    let image = PlanarImage(size: PixelSize(width: 16, height: 16), chromaSubsampling: .none, planes: planes)
    guard var encoder = try? JPEGEncoder() else { return nil }
    return (try? encoder.encode(image, iccProfile: profile, options: .init(quality: 80))).map { Data($0) }
}
