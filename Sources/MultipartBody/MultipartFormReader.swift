/// Reads a body once, from its beginning to its end, into buffers of any size.
///
/// The reader has no buffer of its own. Each call reads files directly into the caller's buffer by `pread`, so a buffer
/// of 64 KiB or more is efficient.
public struct MultipartFormReader: ~Copyable, Sendable {
    /// The number of bytes read so far.
    public private(set) var bytesRead: Int64 = 0

    private let pieces: [MultipartContent]
    /// The index of the current piece in `pieces`.
    private var pieceIndex = 0
    /// The number of bytes read of the current piece, if it is in memory.
    private var pieceOffset = 0
    /// The reader of the current piece, if it is a file.
    private var fileReader: VerifiedFileReader?
    /// The error that ended the reading. Every later call throws it again.
    private var failure: MultipartError?

    init(pieces: [MultipartContent]) { self.pieces = pieces }

    /// Appends the next bytes of the body until the buffer is full or the body ends.
    ///
    /// The last byte of a file is returned only after the file has been verified. A request with a changed source is
    /// therefore never complete. The call blocks on the disk, so do not call it on a thread of the cooperative pool.
    ///
    /// - Parameter buffer: The buffer; it is unchanged at the end of the body and after an error.
    /// - Throws: ``MultipartError/Code/sourceChanged``, ``MultipartError/Code/sourceUnreadable``. Each further call
    ///   throws the same error.
    /// - Complexity: O(*n*) in the number of bytes appended.
    public mutating func read(into buffer: inout OutputRawSpan) throws(MultipartError) {
        if let failure { throw failure }
        let initialCount = buffer.byteCount
        do throws(MultipartError) {
            while pieceIndex < pieces.count, !buffer.isFull {
                if try readPiece(into: &buffer) { pieceIndex += 1 }
            }
        } catch {
            failure = error
            fileReader = nil
            buffer.removeLast(buffer.byteCount - initialCount)
            throw error
        }
        bytesRead += Int64(buffer.byteCount - initialCount)
    }

    /// Appends bytes of the current piece.
    ///
    /// - Returns: Whether the piece is finished.
    private mutating func readPiece(into buffer: inout OutputRawSpan) throws(MultipartError) -> Bool {
        switch pieces[pieceIndex] {
        case .bytes(let bytes):
            let count = min(buffer.freeCapacity, bytes.count - pieceOffset)
            buffer.append(contentsOf: bytes[pieceOffset..<pieceOffset + count])
            pieceOffset += count
            guard pieceOffset == bytes.count else { return false }
            pieceOffset = 0
            return true
        case .file(let content):
            if fileReader == nil { fileReader = try VerifiedFileReader(content: content) }
            guard try fileReader?.read(into: &buffer) == true else { return false }
            fileReader = nil
            return true
        }
    }
}
