import Foundation
import MultipartBody
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("A body can be written to a file")
struct MultipartWritingTests {
    private let directory: TemporaryDirectory
    private let target: URL

    init() throws {
        directory = try TemporaryDirectory()
        target = directory.url.appending(path: "body")
    }

    private func makeBody(_ file: URL) throws -> MultipartForm {
        try MultipartForm(parts: [
            .file(name: "f", filename: "image.jpg", mediaType: "image/jpeg", content: .file(file.fileContent())),
            .field(name: "n", value: "v"),
        ])
    }

    @Test("It is complete, and only its owner can read it", arguments: [0, 100, 262_144, 600_000])
    func bodyIsWrittenWholeAndPrivate(size: Int) throws {
        let body = try makeBody(directory.writeBytes(patternBytes(count: size)))
        try body.write(toFile: target.pathBytes)
        #expect(try Array(Data(contentsOf: target)) == body.allBytes())
        let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("Existing bytes are not changed")
    func existingFileIsKept() throws {
        let body = try makeBody(directory.writeBytes(patternBytes(count: 10)))
        let other = try directory.writeBytes([1, 2, 3], named: "body")
        let error = #expect(throws: MultipartError.self) { try body.write(toFile: other.pathBytes) }
        #expect(error?.code == .destinationUnwritable)
        #expect(error?.systemError == EEXIST)
        #expect(try Array(Data(contentsOf: other)) == [1, 2, 3])
    }

    @Test("If a source file has changed, the incomplete body is removed")
    func failedWriteLeavesNothing() throws {
        let file = try directory.writeBytes(patternBytes(count: 600_000))
        let body = try makeBody(file)
        try file.overwrite(at: 0, with: [1])
        file.setModificationTime(1)
        let error = #expect(throws: MultipartError.self) { try body.write(toFile: target.pathBytes) }
        #expect(error?.code == .sourceChanged)
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }
}
