import MultipartBody
import SystemSupport
import Testing

@Suite("The format of a body (RFC 7578)")
struct MultipartBodyTests {
    private func makeJPEGPart(name: String, content: [UInt8]) -> MultipartPart {
        .file(name: name, filename: "image.jpg", mediaType: "image/jpeg", content: .bytes(content))
    }

    @Test("Byte for byte")
    func bodyMatchesRFC7578ByteForByte() throws {
        let body = try MultipartForm(
            parts: [.field(name: "type", value: "throat"), makeJPEGPart(name: "image", content: Array("JPEG".utf8))],
            boundary: "XyZ-1")
        let expected =
            "--XyZ-1\r\n"
            + "Content-Disposition: form-data; name=\"type\"\r\n\r\n"
            + "throat\r\n"
            + "--XyZ-1\r\n"
            + "Content-Disposition: form-data; name=\"image\"; filename=\"image.jpg\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\n"
            + "JPEG\r\n"
            + "--XyZ-1--\r\n"
        #expect(try body.text() == expected)
        #expect(body.contentLength == expected.utf8.count)
        #expect(body.contentType == "multipart/form-data; boundary=XyZ-1")
    }

    @Test("Without parts a body is only the closing boundary, as browsers send it")
    func emptyBodyIsClosingBoundaryAlone() throws {
        let body = try MultipartForm(parts: [], boundary: "b")
        #expect(try body.text() == "--b--\r\n")
        #expect(body.contentLength == 7)
    }

    @Test("A field may have a type, and an empty value")
    func fieldMayHaveTypeAndEmptyValue() throws {
        var part = MultipartPart.field(name: "meta", value: "")
        part.mediaType = "application/json;charset=utf-8"
        #expect(
            try MultipartForm(parts: [part], boundary: "b").text() == "--b\r\n"
                + "Content-Disposition: form-data; name=\"meta\"\r\n"
                + "Content-Type: application/json;charset=utf-8\r\n\r\n"
                + "\r\n"
                + "--b--\r\n")
    }

    @Test("Fields precede files, and both keep their order")
    func fieldsPrecedeFilesInOrder() throws {
        let parts: [MultipartPart] = [
            makeJPEGPart(name: "f", content: [1]), .field(name: "b", value: "1"), makeJPEGPart(name: "e", content: [2]),
            .field(name: "a", value: "2"), .field(name: "b", value: "3"), makeJPEGPart(name: "f", content: [3]),
        ]
        let body = try MultipartForm(parts: parts, boundary: "b")
        let sorted = try MultipartForm(parts: [1, 3, 4, 0, 2, 5].map { parts[$0] }, boundary: "b")
        #expect(try body.allBytes() == sorted.allBytes())
        let names = try #require(try body.text()).split(separator: "; name=\"").dropFirst().map(\.first)
        #expect(names == ["b", "a", "b", "f", "e", "f"])
    }

    @Test(
        "Line ends of a value are sent as CR LF",
        arguments: [
            ("a\nb", "a\r\nb"), ("a\rb", "a\r\nb"), ("a\r\nb", "a\r\nb"), ("\n\r", "\r\n\r\n"),
            ("\r\r\n\n", "\r\n\r\n\r\n"),
            ("\n", "\r\n"), ("é\u{2028}\u{85}", "é\u{2028}\u{85}"), ("\"%\\", "\"%\\"),
        ])
    func lineEndsInValuesAreNormalized(value: String, sent: String) throws {
        let text = try MultipartForm(parts: [.field(name: "n", value: value)], boundary: "b").text()
        #expect(text == "--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n" + sent + "\r\n--b--\r\n")
    }

    @Test("Bytes of a file are sent unchanged")
    func fileBytesAreUnchanged() throws {
        let content = Array(UInt8.min...UInt8.max) + Array("\n\r\r\n\n--b--\r\n".utf8)
        let bytes = try MultipartForm(parts: [makeJPEGPart(name: "i", content: content)], boundary: "b").allBytes()
        #expect(bytes.dropLast("\r\n--b--\r\n".utf8.count).suffix(content.count) == content[...])
    }

    @Test("The length is known even if the file does not exist", arguments: [0, 1, 5 << 30, Int64.max - 1000])
    func lengthIsKnownWithoutFiles(size: Int64) throws {
        let content = FileContent(
            path: [0x2F], version: FileVersion(size: size, modifiedNanoseconds: 0, changedNanoseconds: 0, inode: 0))
        let part = MultipartPart.file(
            name: "f", filename: "image.jpg", mediaType: "image/jpeg", content: .file(content))
        #expect(
            try MultipartForm(parts: [part]).contentLength
                - MultipartForm(parts: [makeJPEGPart(name: "f", content: [])]).contentLength == size)
    }

    @Test(
        "Lengths whose sum overflows are rejected", arguments: [[-1], [.max], [.max / 2, .max / 2], [.min, .min]])
    func overflowingLengthsAreRejected(sizes: [Int64]) throws {
        let parts = sizes.map { size in
            let content = FileContent(
                path: [0x2F], version: FileVersion(size: size, modifiedNanoseconds: 0, changedNanoseconds: 0, inode: 0))
            return MultipartPart.file(name: "f", filename: "f", mediaType: "a/b", content: .file(content))
        }
        let error = #expect(throws: MultipartError.self) { try MultipartForm(parts: parts) }
        #expect(error?.code == .invalidLength)
    }
}
