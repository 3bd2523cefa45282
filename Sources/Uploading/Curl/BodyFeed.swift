// `unsafe`: copies bytes into libcurl's buffer at once.

internal import MultipartBody

/// A request's body, given out in pieces, and again from its beginning.
struct BodyFeed {
    private enum Source {
        case bytes([UInt8])
        case form(MultipartBody, ReaderBox)
    }

    /// A form's reader is unique, and what is in an enumeration with it would be too.
    private final class ReaderBox {
        var reader: MultipartReader
        init(_ reader: consuming MultipartReader) { self.reader = reader }
    }

    /// Bytes in all.
    let length: Int64
    /// Bytes given out since the beginning.
    private(set) var offset: Int64 = 0
    private var source: Source

    init(_ body: HTTPRequest.Body) {
        length = body.length
        source =
            switch body {
            case .empty: .bytes([])
            case .bytes(let bytes, _): .bytes(bytes)
            case .multipart(let form): .form(form, ReaderBox(form.makeReader()))
            }
    }

    /// Appends the next bytes; none at the end.
    mutating func read(into buffer: inout OutputRawSpan) throws(MultipartError) {
        let before = buffer.byteCount
        switch source {
        case .bytes(let bytes):
            let rest = bytes[Int(offset)...].prefix(buffer.freeCapacity)
            unsafe buffer.withUnsafeMutableBytes { target, count in
                unsafe target[count...].copyBytes(from: rest)
                count += rest.count
            }
        case .form(_, let box):
            try box.reader.read(into: &buffer)
        }
        offset += Int64(buffer.byteCount - before)
    }

    /// The next bytes are the first.
    mutating func rewind() {
        offset = 0
        if case .form(let form, _) = source { source = .form(form, ReaderBox(form.makeReader())) }
    }
}

extension HTTPRequest.Body {
    /// Bytes in all.
    var length: Int64 {
        switch self {
        case .empty: 0
        case .bytes(let bytes, _): Int64(bytes.count)
        case .multipart(let form): form.length
        }
    }

    /// Its media type; nil for nothing.
    var type: String? {
        switch self {
        case .empty: nil
        case .bytes(_, let type): type
        case .multipart(let form): form.contentType
        }
    }
}
