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
/// For the next pictures, up to 6 MiB of buffers and 8 MiB of weights are kept, for all preparers of the process together.
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
    /// - Throws: `unreadable`, `not-a-regular-file`, `input-too-large` and `changed-while-read`, and what `prepare(_:)` throws.
    /// - Complexity: linear in the source's pixels. In memory, the file and about `ImageProbe.memory`.
    public func prepare(contentsOf url: URL) throws(MediaError) -> PreparedImage {
        try prepare(try read(url), name: url.path)
    }

    /// Prepares the file that `url` names, on `CodecThreads.shared`.
    ///
    /// - Throws: as the form that isn't `async`.
    public func prepare(contentsOf url: URL) async throws(MediaError) -> PreparedImage {
        try await CodecThreads.shared.run { () throws(MediaError) in
            try prepare(try read(url), name: url.path)
        }
    }

    /// Prepares an image file's bytes.
    ///
    /// - Throws: `invalid-options`; `unrecognized-format`, `unsupported-...`; `truncated` and `damaged` unless the options
    ///   allow them; `max-bytes`; what the limits refuse; `out-of-memory`.
    /// - Complexity: linear in the source's pixels. In memory about `ImageProbe.memory`, and a copy of `data`.
    public func prepare(_ data: Data) throws(MediaError) -> PreparedImage {
        try prepare([UInt8](data), name: nil)
    }

    /// Prepares an image file's bytes, on `CodecThreads.shared`.
    ///
    /// - Throws: as the form that isn't `async`.
    public func prepare(_ data: Data) async throws(MediaError) -> PreparedImage {
        try await CodecThreads.shared.run { () throws(MediaError) in
            try prepare([UInt8](data), name: nil)
        }
    }

    /// What the image that `url` names is, and what would become of it. Reads its header alone.
    ///
    /// - Throws: `unreadable`, `not-a-regular-file`, and what the header gives reason to refuse.
    public func probe(contentsOf url: URL) throws(MediaError) -> ImageProbe {
        var file = try SourceFile(url)
        return try probe(&file)
    }

    /// What an image file is, and what would become of it, from its bytes.
    ///
    /// - Throws: what the header gives reason to refuse.
    public func probe(_ data: Data) throws(MediaError) -> ImageProbe {
        try options.validate()
        guard let header = try header(of: [UInt8](data), isWhole: true, name: nil) else {
            preconditionFailure("a whole file's header is there, or its absence is an error")
        }
        return ImageProbe(header, options: options)
    }

    /// What `file` is, and what would become of it. Reads as much as its header takes.
    package func probe(_ file: inout SourceFile) throws(MediaError) -> ImageProbe {
        var count = 64 << 10
        while true {
            if let probe = try probe(&file, within: count) { return probe }
            count *= 8
        }
    }

    /// What `file` is, if its first `count` bytes tell.
    func probe(_ file: inout SourceFile, within count: Int) throws(MediaError) -> ImageProbe? {
        try options.validate()
        let prefix = try file.contents(first: count, limit: options.limits.inputBytes)
        guard let header = try header(of: prefix, isWhole: prefix.count < count, name: file.name) else { return nil }
        var probe = ImageProbe(header, options: options)
        probe.warnings += Self.mismatches(header.format, name: file.name)
        return probe
    }

    /// Prepares `bytes`, which messages call `name`, and of which somebody said that they are of `declaredType`.
    package func prepare(
        _ bytes: [UInt8], name: String?, declaredType: String? = nil
    ) throws(MediaError) -> PreparedImage {
        try options.validate()
        do throws(CodecError) {
            var image = try ImagePreparation(bytes, options).result()
            image.warnings += Self.mismatches(image.source.format, name: name, declaredType: declaredType)
            return image
        } catch {
            throw MediaError(error, allowed: options.sourceOptions.allowedCodes, file: name)
        }
    }

    private static func mismatches(
        _ format: ImageFormat, name: String?, declaredType: String? = nil
    ) -> [MediaWarning] {
        let type = MediaType(format)
        return [name.flatMap(type.mismatch(name:)), declaredType.flatMap(type.mismatch(declared:))].compactMap { $0 }
    }

    private func read(_ url: URL) throws(MediaError) -> [UInt8] {
        var file = try SourceFile(url)
        return try file.contents(limit: options.limits.inputBytes)
    }

    private func header(of bytes: [UInt8], isWhole: Bool, name: String?) throws(MediaError) -> ImageHeader? {
        do throws(CodecError) {
            return try ImageHeader(probing: bytes, isWhole: isWhole, limits: options.limits)
        } catch {
            throw MediaError(error, allowed: options.sourceOptions.allowedCodes, file: name)
        }
    }
}
