// `unsafe`: owns a C handle, and hands it the addresses of planes for the length of a call.

internal import CJPEGShim
public import Imaging

/// Writes pictures as JPEG. One encoder may write many, one after the other; its buffer is kept between them.
@safe public struct JPEGEncoder: ~Copyable {
    /// How to write.
    public struct Options: Hashable, Sendable {
        /// libjpeg's scale, 1 to 100.
        public var quality: Int
        /// Several scans with optimised Huffman tables: smaller, slower to write and to read.
        public var isProgressive: Bool

        /// Options of the values given.
        public init(quality: Int, isProgressive: Bool = false) {
            self.quality = quality
            self.isProgressive = isProgressive
        }
    }

    private let handle: OpaquePointer

    /// - Throws: `out-of-memory`.
    public init() throws(CodecError) {
        guard let handle = unsafe prep_jpeg_encoder_create() else {
            throw CodecError(.outOfMemory, .encode, "no memory for an encoder")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe prep_jpeg_encoder_destroy(handle) }

    /// Returns the picture as a JPEG file with `icc` as its colour profile and no other metadata than a JFIF header.
    ///
    /// An empty profile is none. The planes' sizes must be those that the picture's size and chroma reduction give.
    ///
    /// - Throws: `encoding-failed`, `out-of-memory`. The encoder must not be used again after that.
    /// - Complexity: linear in pixels; a progressive file also takes 2 bytes of memory for each sample.
    public mutating func encode(_ picture: Picture, icc: [UInt8]?, _ options: Options) throws(CodecError) -> [UInt8] {
        check(picture, options)
        var encoding = unsafe prep_jpeg_encoding()
        unsafe encoding.width = UInt32(picture.size.width)
        unsafe encoding.height = UInt32(picture.size.height)
        unsafe encoding.component_count = Int32(picture.planes.count)
        unsafe encoding.horizontal = Int32(picture.chroma.horizontal)
        unsafe encoding.vertical = Int32(picture.chroma.vertical)
        unsafe encoding.quality = Int32(options.quality)
        unsafe encoding.progressive = options.isProgressive
        let encoded = unsafe (icc ?? []).withUnsafeBufferPointer { profile -> [UInt8]? in
            unsafe encoding.icc = profile.baseAddress
            unsafe encoding.icc_count = UInt32(profile.count)
            return unsafe withPlanes(picture.planes[...], []) { unsafe output(&encoding, $0) }
        }
        guard let encoded else {
            let report = unsafe prep_jpeg_encoder_report(handle)
            let isMemory = unsafe report.pointee.failure == PREP_JPEG_FAILURE_MEMORY
            throw CodecError(isMemory ? .outOfMemory : .encoding, .encode, "libjpeg could not encode the picture")
        }
        return encoded
    }

    /// C reads as many samples as the sizes state.
    private func check(_ picture: Picture, _ options: Options) {
        precondition((1...100).contains(options.quality), "a quality is 1 to 100")
        precondition([1, 3].contains(picture.planes.count), "a picture has one plane or three")
        for (index, plane) in picture.planes.enumerated() {
            let reduction = index == 0 ? .none : picture.chroma
            precondition(
                plane.width == picture.size.width.dividedRoundingUp(by: reduction.horizontal)
                    && plane.height == picture.size.height.dividedRoundingUp(by: reduction.vertical)
                    && plane.samples.count == plane.stride * plane.height, "a plane's size is not that of its picture")
        }
    }

    /// Calls `body` with the addresses of all planes, which hold for as long as it runs.
    private func withPlanes(
        _ planes: ArraySlice<Plane>, _ known: [prep_jpeg_plane], _ body: ([prep_jpeg_plane]) -> [UInt8]?
    ) -> [UInt8]? {
        guard let plane = planes.first else { return unsafe body(known) }
        return unsafe plane.samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return nil }
            let next = unsafe prep_jpeg_plane(samples: base, stride: plane.stride, rows: UInt32(plane.height))
            return unsafe withPlanes(planes.dropFirst(), known + [next], body)
        }
    }

    private func output(_ encoding: inout prep_jpeg_encoding, _ planes: [prep_jpeg_plane]) -> [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe prep_jpeg_encode(handle, &encoding, planes, &bytes, &count) else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
