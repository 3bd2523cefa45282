import MultipartBody
import Testing

@Suite("Boundaries")
struct BoundaryTests {
    @Test("Each body has a boundary of 128 random bits as 32 hexadecimal digits")
    func everyBodyHasRandomBoundary() throws {
        let boundaries = try (0..<1000).map { _ in try MultipartForm(parts: []).boundary }
        #expect(Set(boundaries).count == 1000)
        #expect(boundaries.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
        // Every digit occurs at every position: the chance that 1000 boundaries miss one is 5e-26.
        for place in 0..<32 { #expect(Set(boundaries.map { Array($0.utf8)[place] }).count == 16) }
    }

    @Test(
        "A given boundary is used",
        arguments: ["b", "AZaz09'+-._", "--------------------------1", String(repeating: "x", count: 70)])
    func givenBoundaryIsUsed(boundary: String) throws {
        let body = try MultipartForm(parts: [], boundary: boundary)
        #expect(body.boundary == boundary)
        #expect(body.contentType == "multipart/form-data; boundary=" + boundary)
        #expect(try body.text() == "--" + boundary + "--\r\n")
    }

    @Test(
        "A boundary that RFC 2046 forbids, or that needs quotes, is rejected",
        arguments: ["", "a b", "a ", "a\r\nX: y", "a\"", "a;b", "a:b", "(a)", "é", String(repeating: "x", count: 71)])
    func invalidBoundaryIsRejected(boundary: String) {
        let error = #expect(throws: MultipartError.self) { try MultipartForm(parts: [], boundary: boundary) }
        #expect(error?.code == .invalidBoundary)
    }
}
