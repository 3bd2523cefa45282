/// The format of a file, detected from its content and never from its name.
///
/// It is detected once and passed on: to the choice between image and audio, and to the parser of the audio.
package enum DetectedFormat: Hashable, Sendable {
    /// An audio container. It begins at `offset`, after any leading tags.
    case container(ContainerFamily, offset: Int)
    /// Frames without a container. `range` extends from the first frame to the tags at the end of the file.
    case frames(FrameFamily, range: Range<Int>)
    /// An audio format that is not supported, with its names for error codes and for messages.
    case unsupported(code: String, title: String)
    /// A format that is neither audio nor an image, with its name for messages.
    case nonAudio(title: String)
    /// An image, with its name for messages.
    case image(title: String)
    /// An unknown format.
    case unrecognized

    /// Containers that share one parser.
    package enum ContainerFamily: Sendable {
        case wave, wave64, aiff, au, caf, flac, ogg, isoMedia, matroska, amr
    }

    /// Formats with frames that can follow one another without a container.
    package enum FrameFamily: Sendable {
        case mpegAudio, adts, flac
    }

    /// Detects the format of a file.
    ///
    /// - Parameters:
    ///   - reader: The file.
    ///   - limits: The limits, of which ``AudioLimits/scannedBytes`` applies.
    /// - Throws: ``AudioError/Code/limitExceeded``, ``AudioError/Code/cancelled``, ``AudioError/Code/unreadable``,
    ///   ``AudioError/Code/changedWhileRead``.
    /// - Complexity: Linear in the number of leading tags. After them, at most 4 MiB are searched for frames.
    package init(in reader: inout BufferedFileReader, limits: AudioLimits = AudioLimits()) throws(AudioError) {
        self = try reader.withReadLimit(limits.scannedBytes) { (reader) throws(AudioError) in
            try Self.detect(in: &reader)
        }
    }

    /// MPEG audio, ADTS and FLAC frames without a container have no signature and are tried last.
    private static func detect(in reader: inout BufferedFileReader) throws(AudioError) -> DetectedFormat {
        let start = try LeadingTags.endOffset(in: &reader)
        let signature = FormatSignature.match(
            in: try reader.bytes(at: start, count: min(64, reader.byteCount - start)) ?? [])
        // If a tag states too small a size for its image, the bytes after it look like that image. Audio frames may
        // follow them.
        if let signature, start == 0 || !signature.isNonAudio { return DetectedFormat(signature, offset: start) }
        if let frames = try FrameSynchronizer.detectFormat(in: &reader, from: start) { return frames }
        if let signature { return DetectedFormat(signature, offset: start) }
        return try isText(in: &reader) ? .nonAudio(title: "text") : .unrecognized
    }

    private init(_ signature: FormatSignature, offset: Int) {
        self =
            switch signature {
            case .container(let family): .container(family, offset: offset)
            case .unsupported(code: let code, title: let title): .unsupported(code: code, title: title)
            case .nonAudio(title: let title): .nonAudio(title: title)
            case .image(title: let title): .image(title: title)
            }
    }

    /// Returns whether the first 512 bytes are text.
    private static func isText(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        let bytes = try reader.bytes(at: 0, count: min(512, reader.byteCount)) ?? []
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        return !bytes.isEmpty
            && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) || $0 == 0x1B }
    }
}
