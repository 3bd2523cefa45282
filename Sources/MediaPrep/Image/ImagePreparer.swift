internal import ImageCodecs
internal import Imaging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes photographs ready for upload: upright, no larger than asked for, compressed, without private metadata.
///
/// ```swift
/// let photo = try ImagePreparer(maxDimension: 1600, quality: 80).prepare(contentsOf: url)
/// upload(photo.data)
/// ```
///
/// `prepare` comes in two forms: one that works on the calling thread, and one that is `async` and works on threads of
/// its own (`CodecThreads.shared`), so that the caller's tasks go on meanwhile.
///
/// For the next pictures, up to 6 MiB of buffers and 8 MiB of weights are kept, for all preparers of the process
/// together.
public struct ImagePreparer: Sendable {
    /// How images are prepared.
    public var options: ImageOptions

    /// A preparer with these options.
    public init(_ options: ImageOptions) { self.options = options }

    /// A preparer with the default options, but for the size and the quality.
    ///
    /// - Parameters:
    ///   - maxDimension: pixels that the longer side may have; nil keeps the size.
    ///   - quality: JPEG quality, 1 to 100.
    public init(maxDimension: Int? = 1600, quality: Int = 80) {
        self.init(ImageOptions(maxDimension: maxDimension, quality: quality))
    }

    /// Prepares the file that `url` names.
    ///
    /// - Throws: `unreadable`, `not-a-regular-file`, `input-too-large` and `changed-while-read`, and what `prepare(_:)`
    ///   throws.
    /// - Complexity: linear in the source's pixels. In memory, the file and about `ImageProbeResult.memory`.
    public func prepare(contentsOf url: URL) throws(MediaError) -> PreparedImage {
        try prepare(try readFile(at: url), name: url.path)
    }

    /// Prepares the file that `url` names, on `CodecThreads.shared`.
    ///
    /// - Throws: as the form that isn't `async`.
    public func prepare(contentsOf url: URL) async throws(MediaError) -> PreparedImage {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            try prepare(try readFile(at: url), name: url.path)
        }
    }

    /// Prepares an image file's bytes.
    ///
    /// - Throws: `invalid-options`; `unrecognized-format`, `unsupported-...`; `truncated` and `damaged` unless the
    ///   options allow them; `max-bytes`; what the limits refuse; `out-of-memory`.
    /// - Complexity: linear in the source's pixels. In memory about `ImageProbeResult.memory`, and a copy of `data`.
    public func prepare(_ data: Data) throws(MediaError) -> PreparedImage {
        try prepare([UInt8](data), name: nil)
    }

    /// Prepares an image file's bytes, on `CodecThreads.shared`.
    ///
    /// - Throws: as the form that isn't `async`.
    public func prepare(_ data: Data) async throws(MediaError) -> PreparedImage {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            try prepare([UInt8](data), name: nil)
        }
    }

    /// What the image that `url` names is, and what would become of it. Reads its header alone.
    ///
    /// - Throws: `unreadable`, `not-a-regular-file`, and what the header gives reason to refuse.
    public func probe(contentsOf url: URL) throws(MediaError) -> ImageProbeResult {
        var file = try SourceFile(url)
        return try probe(&file)
    }

    /// What an image file is, and what would become of it, from its bytes.
    ///
    /// - Throws: what the header gives reason to refuse.
    public func probe(_ data: Data) throws(MediaError) -> ImageProbeResult {
        try options.validate()
        guard let header = try readHeader(of: [UInt8](data), isWholeFile: true, fileName: nil) else {
            preconditionFailure("a whole file's header is there, or its absence is an error")
        }
        return ImageProbeResult(header: header, options: options)
    }

    /// What `file` is, and what would become of it. Reads as much as its header takes.
    package func probe(_ file: inout SourceFile) throws(MediaError) -> ImageProbeResult {
        var count = 64 << 10
        while true {
            if let probe = try probe(&file, prefixByteCount: count) { return probe }
            count *= 8
        }
    }

    /// What `file` is, if its first `count` bytes tell.
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

    /// Prepares `bytes`, which messages call `name`, and of which somebody said that they are of `declaredType`.
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
    ) -> [MediaWarning] {
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
