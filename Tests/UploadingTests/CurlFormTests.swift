// `unsafe`: stat.

import Foundation
import HTTPCalls
import HTTPTypes
import MultipartBody
import SystemSupport
import Testing
import Uploading

/// Forms whose files are read while they are sent.
@Suite struct CurlFormTests {
    private let fileURL = FileManager.default.temporaryDirectory.appending(path: "person-\(UUID().uuidString).bin")

    private func makeForm(_ content: [UInt8]) throws -> MultipartForm {
        try Data(content).write(to: fileURL)
        let attributes = try FileManager.default.attributesOfItem(atPath: fileURL.path)
        let inode = try #require(attributes[.systemFileNumber] as? UInt64)
        var information = stat()
        try #require(unsafe stat(fileURL.path, &information) == 0)
        #if canImport(Darwin)
            let time = information.st_mtimespec
        #else
            let time = information.st_mtim
        #endif
        let version = FileVersion(
            size: Int64(content.count), modifiedNanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
            changedNanoseconds: 0, inode: inode)
        let source = FileContent(path: Array(fileURL.path.utf8), version: version)
        return try MultipartForm(parts: [
            .field(name: "kind", value: "ear"),
            .file(name: "image", filename: "image.jpg", mediaType: "image/jpeg", content: .file(source)),
        ])
    }

    @Test(arguments: [0, 1_000, 3 << 20])
    func formArrivesWhole(count: Int) async throws {
        defer { try? FileManager.default.removeItem(at: fileURL) }
        let content = [UInt8](repeating: 7, count: count)
        let form = try makeForm(content)
        let length = Int(form.contentLength)
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            let body = connection.readBytes(count: length)
            let isThere = Data(body).range(of: Data("\r\n\r\n".utf8 + content + "\r\n--".utf8)) != nil
            connection.respond(status: isThere && body.count == length ? "201 Created" : "400 Bad Request")
        }
        defer { server.stop() }
        let response = try await CurlTransport().send(TransportRequest(.post, server.url, body: .multipart(form)))
        #expect(response.status == 201)
        #expect(
            response.sendProgress == SendProgress(bytesSent: form.contentLength, totalBodyBytes: form.contentLength))
        let lines = try #require(server.requestHeads.first).split(separator: "\r\n")
        #expect(lines.contains("Content-Length: \(length)"))
        #expect(lines.contains("Content-Type: \(form.contentType)"))
    }

    @Test func changedSourceFileFailsUpload() async throws {
        defer { try? FileManager.default.removeItem(at: fileURL) }
        let form = try makeForm([UInt8](repeating: 7, count: 1 << 20))
        try Data([UInt8](repeating: 8, count: 1_000)).write(to: fileURL)
        let server = ScriptedTCPServer { connection, _ in
            connection.readRequestHead()
            connection.discardUntilEnd()
        }
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(TransportRequest(.post, server.url, body: .multipart(form)))
        }
        #expect(error?.code == .bodySourceFailed)
        #expect((error?.cause as? MultipartError)?.code == .sourceChanged)
        #expect(error?.sendProgress.hasSentEntireBody == false)
        #expect(error?.message.contains("person") == false)
    }
}
