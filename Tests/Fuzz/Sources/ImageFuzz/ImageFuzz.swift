import MediaPrep

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// libFuzzer's entry for images: JPEG and PNG, header and pixels, as an application would have them prepared.
///
/// The outcome is always an image or a `MediaError`; anything else is what the sanitizers and the limits catch. The
/// first byte chooses the options, so that those paths are searched too.
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
    // Small enough that no input can take long by right: what does is then a fault.
    options.limits.pixels = 1 << 20
    options.limits.decodedBytes = 32 << 20
    options.limits.scanPixels = 16 << 20

    let preparer = ImagePreparer(options)
    _ = try? preparer.probe(data)
    guard let first = try? preparer.prepare(data) else { return 0 }
    precondition(first.width > 0 && first.height > 0 && first.data.starts(with: [0xFF, 0xD8, 0xFF]))
    // What was prepared can be prepared again, and stands upright.
    guard let second = try? preparer.prepare(first.data) else { preconditionFailure("the output can't be read") }
    precondition(second.sourceProbe.orientation == .up && second.width == first.width && second.height == first.height)
    return 0
}
