import AudioProbe
import Backends
import Foundation
import ImageCodecs
import MediaPrep
import TestSupport
import Testing
import Uploading

@testable import Ledger
@testable import MultipartBody

/// Errors as an app sees them: as `any Error`, with Foundation.
@Suite("Every public error has a description")
struct LocalizedErrorTests {
    /// One error of each type or case, with its expected description.
    private static let errors: [(error: any Error, sentence: String)] = {
        let upload = UploadError(code: .rejectedByServer, message: "the server answered 403")
        return [
            (
                MediaError(.unreadable, verdict: .failed, stage: .read, fileName: "a.jpg", message: "it is missing"),
                "a.jpg: it is missing"
            ),
            (
                MediaError(.unreadable, verdict: .failed, stage: .read, message: "there is no such file"),
                "there is no such file"
            ),
            (AudioError(.unreadable, message: "there is no such file"), "there is no such file"),
            (CodecError(.empty, stage: .probe, message: "the file is empty"), "the file is empty"),
            (MultipartError(code: .sourceChanged, message: "the file was changed"), "the file was changed"),
            (TransportError(code: .timeout, message: "no response in time"), "no response in time"),
            (upload, "the server answered 403"),
            (SecretStoreError(message: "the file can't be read"), "the file can't be read"),
            (
                LedgerError(code: .inUse, path: "x.sqlite", message: "another run has it open"),
                "the ledger x.sqlite: another run has it open"
            ),
            (KSRCranesError.decodingError(upload), "the server answered 403"),
            (KSRCranesError.networkError(upload), "the server answered 403"),
            (KSRCranesError.uploadError(upload), "the server answered 403"),
            (KSRCranesError.httpError(status: 500, message: "down"), "the server answered 500: down"),
            (KSRCranesError.authenticationError, "the login is missing, wrong or expired"),
            (KSRCranesError.validationError(["no date"]), "the server refused what was sent: no date"),
            (KSRCranesError.serverError("full"), "the server failed: full"),
        ]
    }()

    @Test("localizedDescription is the message", arguments: errors.indices)
    func localizedDescriptionIsASentence(_ index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
        // Code that knows only NSError shows a Swift error in this way.
        #expect((error as NSError).localizedDescription == sentence)
    }

    @Test("An error of an invalid URL has a description too")
    func thrownEndpointErrorIsASentence() throws {
        let error: any Error = try #require(#expect(throws: UploadError.self) { try Endpoint("http://192.0.2.1/") })
        #expect(error.localizedDescription.hasPrefix("192.0.2.1 is another machine, and everyone on the network path"))
    }

    @Test("All public error types are tested")
    func everyPublicErrorIsListed() throws {
        let declaration = #/public (?:struct|enum|final class|class) (\w+)[^{\n]*[:,] *(?:any )?Error\b/#
        var declared: Set<String> = []
        let libraries = [
            "AudioProbe", "Backends", "ImageCodecs", "Imaging", "Ledger", "MediaPrep", "MultipartBody", "Uploading",
        ]
        for library in libraries {
            let directory = SampleMedia.repositoryURL.appending(path: "Sources/\(library)")
            let paths = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
            for path in paths where path.hasSuffix(".swift") {
                let source = try String(contentsOf: directory.appending(path: path), encoding: .utf8)
                for match in source.matches(of: declaration) { declared.insert(String(match.1)) }
            }
        }
        #expect(declared == Set(Self.errors.map { "\(type(of: $0.error))" }))
    }
}
