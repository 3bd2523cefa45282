import Foundation
import HTTPCalls
import HTTPTypes
import Testing
import Uploading

/// Which certificates are trusted. The server is `openssl s_server`, with a certificate that is made for the test.
@Suite struct CurlCertificateTrustTests {
    @Test func untrustedCertificateIsRejected() async throws {
        let server = try OpenSSLTestServer(name: "localhost")
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await CurlTransport().send(TransportRequest(.get, server.url(host: "localhost")))
        }
        #expect(error?.code == .tlsFailed)
    }

    @Test func configuredCertificateAuthorityIsTrusted() async throws {
        let server = try OpenSSLTestServer(name: "localhost")
        defer { server.stop() }
        var options = CurlTransport.Options()
        options.certificateAuthoritiesPath = server.certificatePathBytes
        let response = try await CurlTransport(options: options).send(
            TransportRequest(.get, server.url(host: "localhost")))
        #expect(response.status == 200)
    }

    @Test func hostNameMismatchIsRejected() async throws {
        let server = try OpenSSLTestServer(name: "elsewhere.example")
        defer { server.stop() }
        var options = CurlTransport.Options()
        options.certificateAuthoritiesPath = server.certificatePathBytes
        let transport = try CurlTransport(options: options)
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(.get, server.url(host: "localhost")))
        }
        #expect(error?.code == .tlsFailed)
    }
}

/// A TLS server on loopback that answers every request with 200.
private final class OpenSSLTestServer {
    private let directory: URL
    private let process: Process
    private let port: Int

    init(name: String) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let making = try Self.startOpenSSL(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
                "-out", "certificate.pem", "-days", "2", "-subj", "/CN=\(name)", "-addext",
                "subjectAltName=DNS:\(name)",
            ], in: directory, output: .nullDevice)
        making.waitUntilExit()
        try #require(making.terminationStatus == 0, "the command openssl is needed")
        let output = Pipe()
        process = try Self.startOpenSSL(
            ["s_server", "-accept", "127.0.0.1:0", "-key", "key.pem", "-cert", "certificate.pem", "-www"],
            in: directory, output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        let said = try Self.readPort(from: output.fileHandleForReading)
        port = try #require(said)
    }

    /// The certificate's file, in PEM.
    var certificatePathBytes: [UInt8] { Array(directory.appending(path: "certificate.pem").path.utf8) }

    func url(host: String) -> String { "https://\(host):\(port)/" }

    func stop() {
        // A process that is started on a thread of Dispatch inherits its mask, which blocks SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: directory)
    }

    private static func startOpenSSL(_ arguments: [String], in directory: URL, output: FileHandle) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// The port that the system chose. The server prints it first: `ACCEPT 127.0.0.1:40001`.
    private static func readPort(from output: FileHandle) throws -> Int? {
        var text = ""
        while let data = try output.read(upToCount: 1), !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
            guard text.hasSuffix("\n") else { continue }
            if text.hasPrefix("ACCEPT") { return Int(text.dropLast().split(separator: ":").last ?? "") }
            text = ""
        }
        return nil
    }
}
