internal import Diagnostics
internal import ImageCodecs
internal import Imaging
package import SystemSupport

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
/// Up to 5 MiB of sample buffers, 8 MiB of filter coefficients and the tables of four color profiles, 1.5 MiB each, are
/// cached for further images. All preparers of the process share these caches.
public struct ImagePreparer: Sendable {
    /// The options for preparing images.
    public var options: ImageOptions

    /// Creates a preparer with the given options.
    public init(_ options: ImageOptions) { self.options = options }

    /// Creates a preparer with the default options and the given size and quality.
    ///
    /// - Parameters:
    ///   - maxDimension: The maximum of the longer side, in pixels; `nil` keeps the size.
    ///   - quality: The JPEG quality, 1 to 100.
    public init(maxDimension: Int? = 1600, quality: Int = 80) {
        self.init(ImageOptions(maxDimension: maxDimension, quality: quality))
    }

    /// Prepares an image file.
    ///
    /// - Parameter url: The `file:` URL of the file.
    /// - Throws: ``MediaError/Code/unreadable``, ``MediaError/Code/notARegularFile``,
    ///   ``MediaError/Code/inputTooLarge``, ``MediaError/Code/changedWhileRead``, and the errors of `prepare(_:)`.
    /// - Complexity: Linear in the source's pixels. Memory: the file and about
    ///   ``ImageProbeResult/peakMemoryBytes``.
    public func prepare(contentsOf url: URL) throws(MediaError) -> PreparedImage {
        try prepare(try SourceFile(url))
    }

    /// Prepares an image file on ``BlockingThreadPool/shared``.
    ///
    /// - Parameter url: The `file:` URL of the file.
    /// - Throws: The same errors as the synchronous form.
    public func prepare(contentsOf url: URL) async throws(MediaError) -> PreparedImage {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            try prepare(try SourceFile(url))
        }
    }

    /// Prepares an image in memory.
    ///
    /// - Parameter data: The bytes of the file.
    /// - Throws: ``MediaError/Code/invalidOptions``; ``MediaError/Code/empty``, ``MediaError/Code/unrecognized`` or
    ///   `unsupported-…`; ``MediaError/Code/truncated`` or `damaged` unless the options allow it; an exceeded limit:
    ///   ``MediaError/Code/inputTooLarge``, `too-many-pixels`, `dimension-too-large`, `too-many-scans`,
    ///   `too-many-segments` or `memory-limit`; ``MediaError/Code/maxBytesExceeded``; `decoder-unavailable`,
    ///   `decoder-crashed` or `decoder-timeout`; `out-of-memory` or `encoding-failed`; and the code of the first rule
    ///   of ``ImageOptions/policy`` that rejects the image, such as `too-blurred`.
    /// - Complexity: Linear in the source's pixels. Memory: a copy of `data` and about
    ///   ``ImageProbeResult/peakMemoryBytes``.
    public func prepare(_ data: Data) throws(MediaError) -> PreparedImage {
        try prepare(SourceFile([UInt8](data)))
    }

    /// Prepares an image in memory, on ``BlockingThreadPool/shared``.
    ///
    /// - Parameter data: The bytes of the file.
    /// - Throws: The same errors as the synchronous form.
    public func prepare(_ data: Data) async throws(MediaError) -> PreparedImage {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            try prepare(SourceFile([UInt8](data)))
        }
    }

    /// Reads an image file's header and returns its properties and those of the prepared image.
    ///
    /// - Parameter url: The `file:` URL of the file.
    /// - Throws: ``MediaError/Code/unreadable``, ``MediaError/Code/notARegularFile``,
    ///   ``MediaError/Code/inputTooLarge``, ``MediaError/Code/changedWhileRead``, and the errors of `probe(_:)`.
    public func probe(contentsOf url: URL) throws(MediaError) -> ImageProbeResult {
        var image = try ImageFile(try SourceFile(url), options: options)
        return try probe(&image)
    }

    /// Reads the header of an image in memory and returns its properties and those of the prepared image.
    ///
    /// - Parameter data: The bytes of the file.
    /// - Throws: ``MediaError/Code/invalidOptions``, ``MediaError/Code/empty``, ``MediaError/Code/unrecognized``,
    ///   `unsupported-…`, ``MediaError/Code/truncated``, `damaged`, and the limits that the header exceeds.
    public func probe(_ data: Data) throws(MediaError) -> ImageProbeResult {
        var image = try ImageFile(SourceFile([UInt8](data)), options: options)
        return try probe(&image)
    }

    /// Opens an image file for ``probe(_:)-(ImageFile)`` and ``makeOutcome(_:declaredType:spareThreads:)``, which read
    /// and parse it once together.
    package func openImage(_ file: consuming SourceFile) throws(MediaError) -> ImageFile {
        try ImageFile(file, options: options)
    }

    /// Probes `image`. Reads 64 KiB, and eight times as much each time the header is longer.
    package func probe(_ image: inout ImageFile) throws(MediaError) -> ImageProbeResult {
        var count = 64 << 10
        while true {
            if let probe = try probe(&image, prefixByteCount: count) { return probe }
            count *= 8
        }
    }

    /// Probes the first `count` bytes of `image`, or returns `nil` if its header is longer.
    func probe(_ image: inout ImageFile, prefixByteCount count: Int) throws(MediaError) -> ImageProbeResult? {
        guard let header = try image.readHeader(first: count) else { return nil }
        var probe = ImageProbeResult(header: header, options: options)
        probe.warnings += Self.mismatchWarnings(for: header.format, name: image.name)
        return probe
    }

    /// Prepares an image file, which may have been probed before.
    ///
    /// - Parameters:
    ///   - image: The file. Its name is compared with the content.
    ///   - declaredType: The media type that was declared for the file, to be compared with the content.
    ///   - spareThreads: The threads of which one may work on the image, too.
    /// - Throws: The errors of `prepare(contentsOf:)`, except those of the policy.
    package func makeOutcome(
        _ image: consuming ImageFile, declaredType: String? = nil, spareThreads: SpareThreads? = nil
    ) throws(MediaError) -> MediaResult.Outcome {
        switch try makeResult(image, declaredType: declaredType, spareThreads: spareThreads) {
        case .prepared(let prepared): .image(prepared)
        case .rejected(let assessment): .rejectedImage(assessment)
        }
    }

    /// Prepares an image file of which nothing was read yet.
    private func prepare(_ file: consuming SourceFile) throws(MediaError) -> PreparedImage {
        let spareThreads = SpareThreads.ofProcess
        spareThreads.take()
        defer { spareThreads.giveBack() }
        switch try makeResult(try ImageFile(file, options: options), spareThreads: spareThreads) {
        case .prepared(let prepared): return prepared
        case .rejected(let assessment): throw assessment.rejectionReasons[0]
        }
    }

    private func makeResult(
        _ image: consuming ImageFile, declaredType: String? = nil, spareThreads: SpareThreads? = nil
    ) throws(MediaError) -> ImagePreparation.Result {
        let name = image.name
        switch try image.makeResult(spareThreads: spareThreads) {
        case .prepared(var prepared):
            prepared.warnings += Self.mismatchWarnings(
                for: prepared.sourceProbe.format, name: name, declaredType: declaredType)
            return .prepared(prepared)
        case .rejected(var assessment):
            assessment.addMismatchWarnings(fileName: name, declaredType: declaredType)
            return .rejected(assessment)
        }
    }

    static func mismatchWarnings(
        for format: ImageFormat, name: String?, declaredType: String? = nil
    ) -> [Diagnostic] {
        let type = MediaType(format)
        return [
            name.flatMap(type.extensionMismatchWarning(fileName:)),
            declaredType.flatMap(type.typeMismatchWarning(declaredType:)),
        ].compactMap { $0 }
    }
}

extension SpareThreads {
    /// The processors minus the concurrent calls of `prepare`. Images of pipelines are not counted.
    fileprivate static let ofProcess = SpareThreads(count: AvailableProcessors.count)
}
