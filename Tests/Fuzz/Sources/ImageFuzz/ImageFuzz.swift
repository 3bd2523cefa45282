import MediaPrep

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The entry point of libFuzzer for images: JPEG, PNG and WebP, headers and pixels, prepared as by an application.
///
/// The result is always an image or a `MediaError`; sanitizers and limits catch anything else. The first byte chooses
/// the options, so that their paths are also fuzzed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let choice = bytes.first else { return 0 }
    let data = Data(bytes.dropFirst())

    var options = ImageOptions(maxDimension: choice & 1 == 0 ? 64 : nil)
    options.allowsTruncated = choice & 2 != 0
    options.allowsDamaged = choice & 4 != 0
    options.isProgressive = choice & 8 != 0
    options.chroma = choice & 16 != 0 ? .yuv444 : .yuv420
    // Small enough that an input that takes long is a fault.
    options.limits.pixels = 1 << 20
    options.limits.decodedBytes = 32 << 20
    options.limits.scanPixels = 16 << 20

    let preparer = ImagePreparer(options)
    _ = try? preparer.probe(data)
    guard let first = try? preparer.prepare(data) else { return 0 }
    precondition(first.width > 0 && first.height > 0 && first.data.starts(with: [0xFF, 0xD8, 0xFF]))
    // A prepared image can be prepared again, and is upright.
    guard let second = try? preparer.prepare(first.data) else { preconditionFailure("the output cannot be decoded") }
    precondition(second.sourceProbe.orientation == .up && second.width == first.width && second.height == first.height)
    return 0
}
