// `unsafe`: copies bytes into libcurl's buffer at once.

internal import MultipartBody

/// A request's body, given out in pieces, and again from its beginning.
struct RequestBodyReader {
    private enum BodySource {
        case bytes([UInt8])
        case form(MultipartForm, reader: ReaderBox)
    }

    /// A form's reader is unique, and what is in an enumeration with it would be too.
    private final class ReaderBox {
        var reader: MultipartFormReader
        init(_ reader: consuming MultipartFormReader) { self.reader = reader }
    }

    /// Bytes in all.
    let contentLength: Int64
    /// Bytes given out since the beginning.
    private(set) var bytesRead: Int64 = 0
    private var bodySource: BodySource

    init(_ body: HTTPRequest.Body) {
        contentLength = body.contentLength
        bodySource =
            switch body {
            case .empty: .bytes([])
            case .bytes(let bytes, _): .bytes(bytes)
            case .multipart(let form): .form(form, reader: ReaderBox(form.makeReader()))
            }
    }

    /// Appends the next bytes; none at the end.
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

    /// The next bytes are the first.
    mutating func rewind() {
        bytesRead = 0
        if case .form(let form, reader: _) = bodySource {
            bodySource = .form(form, reader: ReaderBox(form.makeReader()))
        }
    }
}

extension HTTPRequest.Body {
    /// Bytes in all.
    var contentLength: Int64 {
        switch self {
        case .empty: 0
        case .bytes(let bytes, _): Int64(bytes.count)
        case .multipart(let form): form.contentLength
        }
    }

    /// Its media type; nil for nothing.
    var contentType: String? {
        switch self {
        case .empty: nil
        case .bytes(_, let type): type
        case .multipart(let form): form.contentType
        }
    }
}
