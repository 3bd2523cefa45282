// `unsafe`: copies bytes into libcurl's buffer.

internal import HTTPCalls
internal import MultipartBody

/// Reads a request's body in pieces, and can rewind it.
struct RequestBodyReader {
    private enum BodySource {
        case bytes([UInt8])
        case form(MultipartForm, reader: ReaderBox)
    }

    /// Boxed because the reader is noncopyable, which would make the enumeration noncopyable too.
    private final class ReaderBox {
        var reader: MultipartFormReader
        init(_ reader: consuming MultipartFormReader) { self.reader = reader }
    }

    /// The length of the body in bytes.
    let contentLength: Int64
    /// The number of bytes read since the beginning or the last rewind.
    private(set) var bytesRead: Int64 = 0
    private var bodySource: BodySource

    init(_ body: RequestBody) {
        contentLength = body.contentLength
        bodySource =
            switch body {
            case .empty: .bytes([])
            case .bytes(let bytes, _): .bytes(bytes)
            case .multipart(let form): .form(form, reader: ReaderBox(form.makeReader()))
            }
    }

    /// Appends the next bytes, or none at the end of the body.
    ///
    /// - Throws: The errors of `MultipartFormReader.read(into:)`.
    mutating func read(into buffer: inout OutputRawSpan) throws(MultipartError) {
        let initialCount = buffer.byteCount
        switch bodySource {
        case .bytes(let bytes):
            let chunk = bytes[Int(bytesRead)...].prefix(buffer.freeCapacity)
            unsafe buffer.withUnsafeMutableBytes { target, count in
                unsafe target[count...].copyBytes(from: chunk)
                count += chunk.count
            }
        case .form(_, reader: let box):
            try box.reader.read(into: &buffer)
        }
        bytesRead += Int64(buffer.byteCount - initialCount)
    }

    /// Rewinds the body to its beginning.
    mutating func rewind() {
        bytesRead = 0
        if case .form(let form, reader: _) = bodySource {
            bodySource = .form(form, reader: ReaderBox(form.makeReader()))
        }
    }
}
