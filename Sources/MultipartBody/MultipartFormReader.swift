/// Reads a body once, in pieces of any size.
///
/// It has no memory of its own: what a file holds goes into the caller's buffer, one `pread` for each time that it is
/// filled. So a buffer of 64 KiB or more is well chosen, and one of a byte works.
public struct MultipartFormReader: ~Copyable, Sendable {
    /// Bytes read so far.
    public private(set) var bytesRead: Int64 = 0

    private let pieces: [MultipartContent]
    /// The piece that is being read.
    private var pieceIndex = 0
    /// Bytes read of it, if it is in memory.
    private var pieceOffset = 0
    /// Reads it, if it is a file.
    private var fileReader: VerifiedFileReader?
    /// What ended the reading.
    private var failure: MultipartError?

    init(pieces: [MultipartContent]) { self.pieces = pieces }

    /// Appends the next bytes, as many as there is room for; none at the end.
    ///
    /// The last byte of a file is not given out before the file was found to be the one that was prepared: a request
    /// with a changed source never becomes whole. It waits for the disk, so it is nothing for a thread of the
    /// cooperative pool.
    ///
    /// - Throws: `source-changed`, `source-unreadable`. Nothing is then appended, and each further call throws the
    ///   same.
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

    /// - Returns: whether that was all of the piece.
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
