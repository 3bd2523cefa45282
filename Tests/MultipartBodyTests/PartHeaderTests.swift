import MultipartBody
import Testing

@Suite("The values of a part's header cannot end the header")
struct PartHeaderTests {
    /// A name as it is sent for a field or part, and for a file, whose line ends are escaped one by one.
    private static let names: [(name: String, sent: String, asFilename: String)] = [
        ("", "", ""),
        ("image", "image", "image"),
        ("say \"ah\"", "say %22ah%22", "say %22ah%22"),
        ("\"; filename=\"evil.sh", "%22; filename=%22evil.sh", "%22; filename=%22evil.sh"),
        ("a\rb", "a%0D%0Ab", "a%0Db"),
        ("a\nb", "a%0D%0Ab", "a%0Ab"),
        ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a\n\rb", "a%0D%0A%0D%0Ab", "a%0A%0Db"),
        ("\r\n\r\n--b--", "%0D%0A%0D%0A--b--", "%0D%0A%0D%0A--b--"),
        ("100%", "100%", "100%"),
        ("%22%0A", "%22%0A", "%22%0A"),
        ("a\\b\\\"", "a\\b\\%22", "a\\b\\%22"),
        ("Zähne; 歯.jpg", "Zähne; 歯.jpg", "Zähne; 歯.jpg"),
        ("👩🏽‍⚕️🇩🇰", "👩🏽‍⚕️🇩🇰", "👩🏽‍⚕️🇩🇰"),
        ("e\u{301}", "e\u{301}", "e\u{301}"),
        ("\t\u{0}\u{7F}\u{85}\u{2028}", "\t\u{0}\u{7F}\u{85}\u{2028}", "\t\u{0}\u{7F}\u{85}\u{2028}"),
        (String(repeating: "n", count: 300), String(repeating: "n", count: 300), String(repeating: "n", count: 300)),
        (
            String(repeating: "\"", count: 300), String(repeating: "%22", count: 300),
            String(repeating: "%22", count: 300)
        ),
    ]

    @Test("A field's name", arguments: names.map { ($0.name, $0.sent) })
    func fieldNamesAreEscaped(name: String, sent: String) throws {
        let body = try MultipartForm(parts: [.field(name: name, value: "v")], boundary: "b")
        let expected = "--b\r\nContent-Disposition: form-data; name=\"" + sent + "\"\r\n\r\nv\r\n--b--\r\n"
        #expect(try body.allBytes() == Array(expected.utf8))
        #expect(body.contentLength == expected.utf8.count)
    }

    @Test("A file's name, and that of its part", arguments: names.map { ($0.name, $0.sent, $0.asFilename) })
    func fileNamesAreEscaped(name: String, sent: String, asFilename: String) throws {
        let part = MultipartPart.file(name: name, filename: name, mediaType: "a/b", content: .bytes([0x76]))
        let body = try MultipartForm(parts: [part], boundary: "b")
        let expected =
            "--b\r\nContent-Disposition: form-data; name=\"" + sent + "\"; filename=\"" + asFilename
            + "\"\r\nContent-Type: a/b\r\n\r\nv\r\n--b--\r\n"
        #expect(try body.allBytes() == Array(expected.utf8))
        #expect(body.contentLength == expected.utf8.count)
    }

    @Test(
        "A media type is sent unchanged",
        arguments: [
            "image/jpeg", "audio/mp4", "application/vnd.api+json", "text/plain;charset=utf-8",
            "text/plain ; a=\"b;c/d\"",
            "X/y",
        ])
    func validMediaTypeIsSentUnchanged(type: String) throws {
        let part = MultipartPart.file(name: "n", filename: "f", mediaType: type, content: .bytes([]))
        #expect(
            try #require(try MultipartForm(parts: [part]).text()).contains("\r\nContent-Type: " + type + "\r\n\r\n"))
    }

    @Test(
        "An invalid media type, or one with a line break, is rejected",
        arguments: [
            "", "jpeg", "image/", "/jpeg", "image/jpeg/x", "image /jpeg", "image/ jpeg", " image/jpeg", "image/jpeg ",
            "image/jpeg\r\nX-Role: admin", "image/jpeg\n", "image/jpeg\r", "image/jpeg;\r\n\r\nx", "image/jpég",
            "image/jpeg;a=é", "image/jpeg\u{0}", "image/jpeg;\t", "a,b/c", "image/jpeg\u{7F}", ";a/b", "/ ;", "a/ ;",
        ])
    func invalidMediaTypeIsRejected(type: String) {
        let part = MultipartPart.file(name: "n", filename: "f", mediaType: type, content: .bytes([]))
        let error = #expect(throws: MultipartError.self) { try MultipartForm(parts: [part]) }
        #expect(error?.code == .invalidMediaType)
    }
}
