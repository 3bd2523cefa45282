import Testing

@testable import dev_backend

@Suite("Multipart parser")
struct MultipartParserTests {
    /// Parses `body` in pieces of `pieces` bytes, the first of `first` bytes if given.
    private func parseForm(_ body: [UInt8], boundary: String, first: Int? = nil, pieces: Int = .max) throws
        -> ReceivedForm
    {
        var reader = FormReader(boundary: boundary, limits: .init(maxFileBytes: 1 << 20, keepsFileContent: true))
        var index = 0
        while index < body.count {
            let count = min(index == 0 ? first ?? pieces : pieces, body.count - index)
            try reader.parseChunk(body[index..<(index + max(count, 1))])
            index += max(count, 1)
        }
        return try reader.finishForm()
    }

    /// A form whose contents begin, end or continue like a boundary.
    private static let form = RawMultipartForm(boundary: "b")
        .addingField("empty", value: "").addingField("name", value: "value with ünïcode and\r\nlines")
        .file("a", "a.jpg", Array("\r\n--\r\n--".utf8)).file("none", "", [])
        .file("b", "b \u{1F600}.jpg", Array("\r\n-\r\n--B--\r\r\n\n--b\r".utf8))
        .file("c", "c.bin", (0...255).map { UInt8($0) })

    private func expectReferenceForm(_ form: ReceivedForm) {
        #expect(form.fields.map(\.name) == ["empty", "name"])
        #expect(form.uniqueFieldValue(named: "empty") == "")
        #expect(form.uniqueFieldValue(named: "name") == "value with ünïcode and\r\nlines")
        #expect(form.files.map(\.name) == ["a", "none", "b", "c"])
        #expect(form.files.map(\.filename) == ["a.jpg", "", "b \u{1F600}.jpg", "c.bin"])
        #expect(form.files.map(\.content) == Self.form.parts.dropFirst(2).map(\.content))
        #expect(form.files.map(\.size) == Self.form.parts.dropFirst(2).map { Int64($0.content.count) })
        #expect(form.files.map(\.sha256) == Self.form.parts.dropFirst(2).map { sha256($0.content) })
        #expect(form.files.allSatisfy { $0.mediaType == "image/jpeg" })
    }

    @Test("A form in two pieces is parsed like the whole form")
    func formCutAnywhereIsParsed() throws {
        let bytes = Self.form.bytes
        for cut in 1..<bytes.count { expectReferenceForm(try parseForm(bytes, boundary: "b", first: cut)) }
    }

    @Test("A form in pieces of any size is parsed like the whole form", arguments: [1, 2, 3, 5, 7, 16, 64, 4096])
    func formInPiecesOfAnySizeIsParsed(_ size: Int) throws {
        expectReferenceForm(try parseForm(Self.form.bytes, boundary: "b", pieces: size))
    }

    @Test("An incomplete form is rejected", arguments: [1, Int.max])
    func formPrefixIsIncomplete(_ pieces: Int) throws {
        let bytes = Self.form.bytes
        // The last two bytes are an optional line end.
        for count in 0..<(bytes.count - 2) {
            #expect(throws: FormError.self) { try parseForm(Array(bytes[..<count]), boundary: "b", pieces: pieces) }
        }
        #expect(throws: Never.self) { try parseForm(bytes.dropLast(2), boundary: "b", pieces: pieces) }
    }

    struct Hostile: CustomTestStringConvertible {
        var testDescription: String
        var body: [UInt8]
        var code: FormError.Code

        init(_ description: String, _ code: FormError.Code, _ body: String) {
            (testDescription, self.code, self.body) = (description, code, Array(body.utf8))
        }
    }

    private static let named = "Content-Disposition: form-data; name=\"a\""

    static let hostile = [
        Hostile("nothing", .truncated, ""),
        Hostile("no last boundary", .truncated, "--b\r\n\(named)\r\n\r\nvalue\r\n--b\r\n"),
        Hostile("another boundary", .malformed, "--c\r\n\(named)\r\n\r\nvalue\r\n--c--\r\n"),
        Hostile("something before", .malformed, "hello\r\n--b\r\n\(named)\r\n\r\nvalue\r\n--b--\r\n"),
        Hostile("something after", .malformed, "--b\r\n\(named)\r\n\r\nvalue\r\n--b--\r\nmore"),
        Hostile("no parts", .malformed, "--b--\r\n"),
        Hostile("a longer boundary", .malformed, "--b\r\n\(named)\r\n\r\nvalue\r\n--bc\r\n--b--\r\n"),
        Hostile("white space after a boundary", .malformed, "--b \r\n\(named)\r\n\r\nvalue\r\n--b--\r\n"),
        Hostile("no header", .malformed, "--b\r\n\r\nvalue\r\n\r\n--b--\r\n"),
        Hostile("no disposition", .malformed, "--b\r\nContent-Type: a/b\r\n\r\nvalue\r\n--b--\r\n"),
        Hostile("two dispositions", .malformed, "--b\r\n\(named)\r\n\(named)\r\n\r\nvalue\r\n--b--\r\n"),
        Hostile("another disposition", .malformed, "--b\r\nContent-Disposition: file; name=\"a\"\r\n\r\n\r\n--b--\r\n"),
        Hostile("no name", .malformed, "--b\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\n\r\n--b--\r\n"),
        Hostile("an open quote", .malformed, "--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\n\r\n--b--\r\n"),
        Hostile("two names", .malformed, "--b\r\n\(named); name=\"b\"\r\n\r\n\r\n--b--\r\n"),
        Hostile("a folded line", .malformed, "--b\r\n\(named);\r\n filename=\"a\"\r\n\r\n\r\n--b--\r\n"),
        Hostile("a zero in the header", .malformed, "--b\r\n\(named)\u{0}\r\n\r\n\r\n--b--\r\n"),
        Hostile(
            "a header of 1 MB", .headerTooLong,
            "--b\r\nX: \(String(repeating: "x", count: 1 << 20))\r\n\(named)\r\n\r\n"),
        Hostile(
            "10,000 parts", .tooManyParts,
            String(repeating: "--b\r\n\(named)\r\n\r\n\r\n", count: 10_000) + "--b--\r\n"),
        Hostile(
            "a field of 2 MB", .fieldsTooLong,
            "--b\r\n\(named)\r\n\r\n\(String(repeating: "x", count: 2 << 20))\r\n--b--\r\n"),
        Hostile(
            "a file that is too large", .fileTooLarge,
            "--b\r\n\(named); filename=\"a\"\r\n\r\n\(String(repeating: "x", count: 1 << 20 + 1))\r\n--b--\r\n"),
    ]

    @Test("An invalid form is rejected with a reason", arguments: Self.hostile, [1000, Int.max])
    func invalidFormIsRejectedWithReason(_ hostile: Hostile, _ pieces: Int) throws {
        let error = #expect(throws: FormError.self) { try parseForm(hostile.body, boundary: "b", pieces: pieces) }
        #expect(error?.code == hostile.code)
    }

    @Test("Values that are not UTF-8 are rejected")
    func nonUTF8ValueIsRejected() throws {
        let value = RawMultipartForm(boundary: "b").addingPart(header: Self.named, content: [0xFF])
        #expect(throws: FormError.self) { try parseForm(value.bytes, boundary: "b") }
        let name =
            Array("--b\r\nContent-Disposition: form-data; name=\"".utf8) + [0xFF]
            + Array("\"\r\n\r\n\r\n--b--\r\n".utf8)
        #expect(throws: FormError.self) { try parseForm(name, boundary: "b") }
    }
}
