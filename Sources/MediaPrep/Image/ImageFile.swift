internal import ImageCodecs
internal import SystemSupport

/// An image file that is read and parsed in two steps, first its header and then the rest. No byte is read twice, and
/// no part of the structure is parsed twice.
package struct ImageFile: ~Copyable {
    private var file: SourceFile
    private let options: ImageOptions
    /// The bytes read so far, from the start of the file.
    private var bytes: [UInt8] = []
    private var parser: ImageFileParser

    /// Creates an image file of which nothing is read.
    ///
    /// - Throws: ``MediaError/Code/invalidOptions``.
    init(_ file: consuming SourceFile, options: ImageOptions) throws(MediaError) {
        try options.validate()
        self.file = file
        self.options = options
        parser = ImageFileParser(limits: options.decoding.limits)
    }

    /// The name for messages; `nil` for unnamed bytes.
    var name: String? { file.name }
    /// The file's size, in bytes.
    package var byteCount: Int { file.byteCount }

    /// Reads the header, or returns `nil` if it extends beyond the first `count` bytes.
    ///
    /// - Throws: The errors of ``SourceFile/readContents(first:continuing:limit:)`` and of the parser.
    mutating func readHeader(first count: Int) throws(MediaError) -> ImageHeader? {
        try loadContents(first: file.isInMemory ? .max : count)
        do throws(CodecError) {
            return try parser.parseHeader(of: bytes, isWholeFile: bytes.count == file.byteCount)
        } catch {
            throw makeMediaError(error)
        }
    }

    /// Reads and parses what is missing, and prepares the image, unless it breaks the policy.
    ///
    /// - Parameter spareThreads: The threads of which one may work on the image, too.
    /// - Throws: The errors of ``SourceFile/readContents(first:continuing:limit:)``, of the parser, and of preparing.
    consuming func makeResult(spareThreads: SpareThreads?) throws(MediaError) -> ImagePreparation.Result {
        let (name, options) = (name, options)
        let source = try takeSource()
        do throws(CodecError) {
            var preparation = ImagePreparation(source, fileName: name, options: options, spareThreads: spareThreads)
            return try preparation.makeResult()
        } catch {
            throw MediaError(error, toleratedCodes: options.decoding.toleratedErrorCodes, fileName: name)
        }
    }

    /// Reads and parses what is missing, and measures the image.
    ///
    /// - Throws: The errors of ``SourceFile/readContents(first:continuing:limit:)``, of the parser, and of decoding.
    consuming func makeAssessment() throws(MediaError) -> ImageAssessment {
        let (name, options) = (name, options)
        let source = try takeSource()
        do throws(CodecError) {
            return try ImageAssessment(of: source, options: options, fileName: name)
        } catch {
            throw MediaError(error, toleratedCodes: options.decoding.toleratedErrorCodes, fileName: name)
        }
    }

    /// Reads and parses what is missing. Only the result then has the file's bytes: another reference, such as that of
    /// a file in memory, would keep them while the image is encoded.
    private consuming func takeSource() throws(MediaError) -> ImageSource {
        try loadContents()
        do throws(CodecError) {
            return try ImageSource(bytes, continuing: &parser, options: options.decoding)
        } catch {
            throw makeMediaError(error)
        }
    }

    /// Returns the content of the file.
    ///
    /// - Throws: The errors of ``SourceFile/readContents(first:continuing:limit:)``.
    package mutating func readContents() throws(MediaError) -> [UInt8] {
        try loadContents()
        return bytes
    }

    /// Releases the bytes that were read. They are read again when they are needed, but not parsed again.
    mutating func discardContents() { bytes = [] }

    private mutating func loadContents(first count: Int = .max) throws(MediaError) {
        if !bytes.isEmpty && bytes.count >= min(count, file.byteCount) { return }
        bytes = try file.readContents(first: count, continuing: bytes, limit: options.decoding.limits.inputBytes)
    }

    private func makeMediaError(_ error: CodecError) -> MediaError {
        MediaError(error, toleratedCodes: options.decoding.toleratedErrorCodes, fileName: file.name)
    }
}
