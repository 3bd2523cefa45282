internal import Diagnostics
internal import ImageCodecs
internal import Imaging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Prepares images for upload: upright, resized, compressed as JPEG, and without private metadata.
///
/// ```swift
/// let image = try ImagePreparer(maxDimension: 1600, quality: 80).prepare(contentsOf: url)
/// upload(image.data)
/// ```
///
/// `prepare` has a synchronous form, which runs on the calling thread, and an `async` form, which runs on
/// ``BlockingThreadPool/shared`` and so leaves Swift's threads free.
///
/// Up to 6 MiB of sample buffers and 8 MiB of filter coefficients are cached for further images. All preparers of the
/// process share these caches.
public struct ImagePreparer: Sendable {
    /// The options for preparing images.
    public var options: ImageOptions

    /// Creates a preparer with the given options.
    public init(_ options: ImageOptions) { self.options = options }

    /// Creates a preparer with the default options and the given size and quality.
    ///
    /// - Parameters:
    ///   - maxDimension: the maximum of the longer side, in pixels; `nil` keeps the size.
    ///   - quality: the JPEG quality, 1 to 100.
    public init(maxDimension: Int? = 1600, quality: Int = 80) {
        self.init(ImageOptions(maxDimension: maxDimension, quality: quality))
    }

    /// Prepares an image file.
    ///
    /// - Parameter url: the `file:` URL of the file.
    /// - Throws: ``MediaError/Code/unreadable``, ``MediaError/Code/notARegularFile``,
    ///   ``MediaError/Code/inputTooLarge``, ``MediaError/Code/changedWhileRead``, and the errors of `prepare(_:)`.
    /// - Complexity: linear in the source's pixels. Memory: the file and about
    ///   ``ImageProbeResult/peakMemoryBytes``.
    public func prepare(contentsOf url: URL) throws(MediaError) -> PreparedImage {
        try prepare(try readFile(at: url), name: url.path)
    }

    /// Prepares an image file on ``BlockingThreadPool/shared``.
    ///
    /// - Parameter url: the `file:` URL of the file.
    /// - Throws: the same errors as the synchronous form.
    public func prepare(contentsOf url: URL) async throws(MediaError) -> PreparedImage {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            try prepare(try readFile(at: url), name: url.path)
        }
    }

    /// Prepares an image in memory.
    ///
    /// - Parameter data: the bytes of the file.
    /// - Throws: ``MediaError/Code/invalidOptions``; ``MediaError/Code/empty``, ``MediaError/Code/unrecognized`` or
    ///   `unsupported-…`; ``MediaError/Code/truncated`` or `damaged` unless the options allow it; an exceeded limit:
    ///   ``MediaError/Code/inputTooLarge``, `too-many-pixels`, `dimension-too-large`, `too-many-scans`,
    ///   `too-many-segments` or `memory-limit`; ``MediaError/Code/maxBytesExceeded``; `out-of-memory` or
    ///   `encoding-failed`.
    /// - Complexity: linear in the source's pixels. Memory: a copy of `data` and about
    ///   ``ImageProbeResult/peakMemoryBytes``.
    public func prepare(_ data: Data) throws(MediaError) -> PreparedImage {
        try prepare([UInt8](data), name: nil)
    }

    /// Prepares an image in memory, on ``BlockingThreadPool/shared``.
    ///
    /// - Parameter data: the bytes of the file.
    /// - Throws: the same errors as the synchronous form.
    public func prepare(_ data: Data) async throws(MediaError) -> PreparedImage {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            try prepare([UInt8](data), name: nil)
        }
    }

    /// Reads an image file's header and returns its properties and those of the prepared image.
    ///
    /// - Parameter url: the `file:` URL of the file.
    /// - Throws: ``MediaError/Code/unreadable``, ``MediaError/Code/notARegularFile``,
    ///   ``MediaError/Code/inputTooLarge``, ``MediaError/Code/changedWhileRead``, and the errors of `probe(_:)`.
    public func probe(contentsOf url: URL) throws(MediaError) -> ImageProbeResult {
        var file = try SourceFile(url)
        return try probe(&file)
    }

    /// Reads the header of an image in memory and returns its properties and those of the prepared image.
    ///
    /// - Parameter data: the bytes of the file.
    /// - Throws: ``MediaError/Code/invalidOptions``, ``MediaError/Code/empty``, ``MediaError/Code/unrecognized``,
    ///   `unsupported-…`, ``MediaError/Code/truncated``, `damaged`, and the limits that the header exceeds.
    public func probe(_ data: Data) throws(MediaError) -> ImageProbeResult {
        try options.validate()
        guard let header = try readHeader(of: [UInt8](data), isWholeFile: true, fileName: nil) else {
            preconditionFailure("a whole file's header is there, or its absence is an error")
        }
        return ImageProbeResult(header: header, options: options)
    }

    /// Probes `file`. Reads 64 KiB, and eight times as much each time the header is longer.
    package func probe(_ file: inout SourceFile) throws(MediaError) -> ImageProbeResult {
        var count = 64 << 10
        while true {
            if let probe = try probe(&file, prefixByteCount: count) { return probe }
            count *= 8
        }
    }

    /// Probes the first `count` bytes of `file`, or returns `nil` if its header is longer.
    func probe(_ file: inout SourceFile, prefixByteCount count: Int) throws(MediaError) -> ImageProbeResult? {
        try options.validate()
        let prefix = try file.readContents(first: count, limit: options.limits.inputBytes)
        guard let header = try readHeader(of: prefix, isWholeFile: prefix.count < count, fileName: file.name) else {
            return nil
        }
        var probe = ImageProbeResult(header: header, options: options)
        probe.warnings += Self.mismatchWarnings(for: header.format, name: file.name)
        return probe
    }

    /// Prepares the image in `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the file.
    ///   - name: the file's name, for messages and to be compared with the content.
    ///   - declaredType: the media type that was declared for the file, to be compared with the content.
    package func prepare(
        _ bytes: [UInt8], name: String?, declaredType: String? = nil
    ) throws(MediaError) -> PreparedImage {
        try options.validate()
        do throws(CodecError) {
            var image = try ImagePreparation(bytes, options: options).makePreparedImage()
            image.warnings += Self.mismatchWarnings(
                for: image.sourceProbe.format, name: name, declaredType: declaredType)
            return image
        } catch {
            throw MediaError(error, toleratedCodes: options.decodingOptions.toleratedErrorCodes, fileName: name)
        }
    }

    private static func mismatchWarnings(
        for format: ImageFormat, name: String?, declaredType: String? = nil
    ) -> [Diagnostic] {
        let type = MediaType(format)
        return [
            name.flatMap(type.extensionMismatchWarning(fileName:)),
            declaredType.flatMap(type.typeMismatchWarning(declaredType:)),
        ].compactMap { $0 }
    }

    private func readFile(at url: URL) throws(MediaError) -> [UInt8] {
        var file = try SourceFile(url)
        return try file.readContents(limit: options.limits.inputBytes)
    }

    private func readHeader(of bytes: [UInt8], isWholeFile: Bool, fileName: String?) throws(MediaError) -> ImageHeader?
    {
        do throws(CodecError) {
            return try ImageHeader(probing: bytes, isWholeFile: isWholeFile, limits: options.limits)
        } catch {
            throw MediaError(error, toleratedCodes: options.decodingOptions.toleratedErrorCodes, fileName: fileName)
        }
    }
}
