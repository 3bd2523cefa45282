// `unsafe`: memory to read a form into.

public import HTTPCalls
internal import HTTPTypes
internal import MultipartBody

extension TransportRequest {
    /// The bytes of the body.
    public var bytes: [UInt8] {
        switch body {
        case .empty: return []
        case .bytes(let bytes, _): return bytes
        case .multipart(let form): do { return try form.bytes() } catch { fatalError("\(error)") }
        }
    }

    /// The body as text, with `--B` for the boundary of a form.
    public var text: String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard case .multipart(let form) = body else { return text }
        return text.replacing("--\(form.boundary)", with: "--B")
    }

    /// The body's media type, without parameters.
    public var type: String {
        switch body {
        case .empty: ""
        case .bytes(_, let type): type
        case .multipart: "multipart/form-data"
        }
    }

    /// The request as HTTP/1.1 writes it, with LF for the lines of the head, the boundary `B` and the token in clear.
    ///
    /// The transport's own fields are not part of it: `Content-Length`, `User-Agent` and those of the connection.
    public var transcript: String {
        let head = head
        var lines = ["\(method.rawValue) \(head.path ?? "")", "host: \(head.authority ?? "")"]
        if let token = bearerToken { lines.append(token.withSecret { "authorization: Bearer \($0)" }) }
        for field in head.headerFields {
            let value =
                if case .multipart(let form) = body { field.value.replacing(form.boundary, with: "B") } else {
                    field.value
                }
            lines.append("\(field.name.canonicalName): \(value)")
        }
        return lines.joined(separator: "\n") + (bytes.isEmpty ? "" : "\n\n\(text)")
    }
}

extension MultipartForm {
    fileprivate func bytes() throws(MultipartError) -> [UInt8] {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(contentLength) + 1, alignment: 1)
        defer { unsafe memory.deallocate() }
        var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
        var reader = makeReader()
        try reader.read(into: &output)
        return unsafe Array(memory[..<output.finalize(for: memory)])
    }
}
