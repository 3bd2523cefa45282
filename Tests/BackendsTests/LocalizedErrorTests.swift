import HTTPTestSupport
import AudioProbe
import Backends
import Foundation
import HTTPCalls
import HTTPTypes
import ImageCodecs
import KSRCranesAPI
import MediaPrep
import PetVisitsAPI
import SymptomSentryAPI
import Testing
import TestSupport
import Uploading

@testable import Ledger
@testable import MultipartBody

/// Errors as an app sees them: as `any Error`, with Foundation.
@Suite("Every public error has a description")
struct LocalizedErrorTests {
    /// One error of each type or case, with its expected description.
    private static let errors: [(error: any Error, sentence: String)] = {
        let upload = CallError(code: .rejectedByServer, message: "the server answered 403")
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
            (KSRCranesError.decodingError(upload), "An unexpected error occurred"),
            (KSRCranesError.networkError(upload), "Network error: the server answered 403"),
            (KSRCranesError.callError(upload), "the server answered 403"),
            (KSRCranesError.httpError(status: 500, message: "down"), "Server error (500): down"),
            (KSRCranesError.httpError(status: 502, message: nil), "Server error (502): Unknown error"),
            (KSRCranesError.authenticationError(message: nil), "Authentication failed. Please log in again."),
            (KSRCranesError.authenticationError(message: "Wrong password."), "Wrong password."),
            (KSRCranesError.validationError(["no date", "no name"]), "Validation failed: no date, no name"),
            (KSRCranesError.serverError("full"), "full"),
        ]
    }()

    @Test("localizedDescription is the message", arguments: errors.indices)
    func localizedDescriptionIsASentence(_ index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
        // Code that knows only NSError shows a Swift error in this way.
        #expect((error as NSError).localizedDescription == sentence)
    }

    /// A response, the code of the error, and the sentence for the user.
    static let symptomSentryAnswers: [(TransportResponse, CallError.Code, String)] = [
        (.json(401, "{}"), .unauthorized, "Authentication failed. Please log in again."),
        (.json(401, #"{"message":"Expired."}"#), .unauthorized, "Expired."),
        (.json(429, "{}"), .quotaExhausted, "You've reached your analysis limit for this month."),
        (.json(429, #"{"message":"Used up."}"#), .quotaExhausted, "Used up."),
        (
            .json(429, "{}", [.retryAfter: "0"]), .rateLimited,
            "Server error (429). Please try again later."
        ),
        (.json(500, "<html>"), .outcomeUnknown, "Server error (500). Please try again later."),
        (.json(500, #"{"message":"Oops."}"#), .outcomeUnknown, "Oops."),
        (.json(404, "{}"), .rejectedByServer, "Server error (404). Please try again later."),
    ]

    @Test(
        "SymptomSentry's errors show the server's own message, or else the specification's sentence",
        arguments: symptomSentryAnswers.indices)
    func symptomSentrySentences(_ index: Int) async throws {
        let (answer, code, sentence) = Self.symptomSentryAnswers[index]
        let policy = SymptomSentryClient.retryPolicy
        let api = SymptomSentryClient(
            baseEndpoint: .test, client: HTTPClient(stub: StubTransport(answer), policy: policy))
        let error = await callError { () async throws(CallError) in try await api.analyze(.makeImage(), type: .ear)
        }
        #expect(error?.code == code && error?.localizedDescription == sentence)
        let (results, _) = try await UploadHarness().upload(
            [.makeImage()], to: SymptomSentryClient.Destination(baseEndpoint: .test, defaultAnalysisType: .ear),
            HTTPClient(stub: StubTransport(answer), policy: policy))
        #expect(results[0].error?.localizedDescription == sentence)
    }

    @Test("A lost connection is a network error, and says that the image may have been analyzed")
    func lostConnectionSentence() async throws {
        let transport = StubTransport { (request) throws(TransportError) in
            let length = Int64(request.bytes.count)
            throw TransportError(
                code: .connectionLost, message: "the connection was lost",
                sendProgress: SendProgress(bytesSent: length, totalBodyBytes: length))
        }
        let api = SymptomSentryClient(baseEndpoint: .test, client: HTTPClient(stub: transport))
        let error = await callError { () async throws(CallError) in try await api.analyze(.makeImage(), type: .ear)
        }
        #expect(
            error?.localizedDescription
                == "Network error: it was sent whole, and may have been taken; the connection was lost")
    }

    @Test("Missing ids have the specification's sentences")
    func missingIDSentences() async throws {
        for (pet, appointment, sentence) in [
            ("", "ABC123", "Pet ID is required"), ("Pet1", " ", "Appointment ID is required"),
        ] {
            let request = PetVisitsClient.AudioUploadRequest(
                petID: pet, filename: "a", contentType: "audio/mp4", appointmentID: appointment)
            let error = #expect(throws: CallError.self) { try request.validate() }
            #expect(error?.localizedDescription == sentence)
        }
    }

    @Test(
        "KSR Cranes' errors show the server's own message, or else the specification's sentence",
        arguments: [
            (401, #"{"message":"Wrong password."}"#, "Wrong password."),
            (401, "{}", "Authentication failed. Please log in again."),
            (422, #"{"errors":["name is required"]}"#, "Validation failed: name is required"),
            (500, #"{"message":"Oops."}"#, "Server error (500): Oops."), (500, "", "Server error (500): Unknown error"),
            (200, #"{"success":false,"message":"No."}"#, "No."), (200, "[]", "An unexpected error occurred"),
        ])
    func ksrCranesSentences(_ status: Int, _ body: String, _ sentence: String) async throws {
        let api = KSRCranesClient(
            baseEndpoint: .test, client: HTTPClient(stub: StubTransport(.json(status, body))))
        let error = await #expect(throws: KSRCranesError.self) { try await api.profile() }
        #expect(error?.localizedDescription == sentence)
        guard status == 500 else { return }
        let sent = await #expect(throws: KSRCranesError.self) {
            try await api.post(path: "/api/app/tasks", body: [1], as: [Int].self)
        }
        #expect(sent?.localizedDescription == sentence)
    }

    @Test("An error of an invalid URL has a description too")
    func thrownEndpointErrorIsASentence() throws {
        let error: any Error = try #require(#expect(throws: CallError.self) { try Endpoint("http://192.0.2.1/") })
        #expect(error.localizedDescription.hasPrefix("192.0.2.1 is another machine, and everyone on the network path"))
    }

    @Test("All public error types are tested")
    func everyPublicErrorIsListed() throws {
        let declaration = #/public (?:struct|enum|final class|class) (\w+)[^<{\n]*[:,] *(?:any )?Error\b/#
        var declared: Set<String> = []
        let libraries = [
            "AudioProbe", "Backends", "HTTPCalls", "ImageCodecs", "Imaging", "KSRCranesAPI", "Ledger", "MediaPrep",
            "MessagesAPI", "MultipartBody", "PetVisitsAPI", "SymptomSentryAPI", "Uploading",
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
