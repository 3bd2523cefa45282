import ArgumentParser
import Foundation
import Testing

@testable import dev_backend

@Suite("Faults of single requests")
struct FaultScriptTests {
    private let request = RawHTTPRequest.get("/api/appointments/ABC123")

    @Test("A page instead of JSON", arguments: [200, 401, 502])
    func page(_ status: Int) async throws {
        let options = DevBackendOptions { $0.faults.scriptedFaults = [.htmlPage(status)] }
        try await DevBackend.withRunningBackend(options: options) { backend in
            let reply = try await backend.rawReply(to: request)
            #expect(reply.status == status && reply.head["content-type"] == "text/html")
            #expect(String(decoding: reply.body, as: UTF8.self).hasPrefix("<html>"))
            #expect(try await backend.rawReply(to: request).status == 200)
            #expect(backend.faultCounts.htmlPages == 1)
        }
    }

    @Test("Half of an answer, which is committed")
    func cutResponse() async throws {
        let options = DevBackendOptions { $0.faults.scriptedFaults = [.cutResponse] }
        let form = RawHTTPRequest.form("/upload", .withRandomFile(byteCount: 100))
        try await DevBackend.withRunningBackend(options: options) { backend in
            let end = try await runBlocking { () -> RawHTTPClient.End? in
                let client = try RawHTTPClient(backend)
                try client.send(form.bytes)
                do { _ = try client.readReply() } catch let end as RawHTTPClient.End { return end }
                return nil
            }
            #expect(end == .closed)
            #expect(try backend.storedForms().count == 1 && backend.faultCounts.cutResponses == 1)
        }
    }

    @Test(
        "Faults of the command line",
        arguments: [
            ("none", FaultConfiguration.Fault.none), ("404", .errorStatus(404)), ("200", .errorStatus(200)),
            ("html", .htmlPage(200)),
            ("html:502", .htmlPage(502)), ("busy", .tooManyRequests), ("reset", .resetWithinBody(0.5)),
            ("drop", .dropResponse), ("cut", .cutResponse), ("600", nil), ("html:", nil), ("html:x", nil), ("", nil),
            ("Busy", nil),
        ] as [(String, FaultConfiguration.Fault?)])
    func argument(_ text: String, _ fault: FaultConfiguration.Fault?) throws {
        #expect(FaultConfiguration.Fault(argument: text) == fault)
        guard let fault else { return }
        let arguments = try FaultArguments.parse(["--fault", "none", "--fault", text])
        #expect(try arguments.makeFaultConfiguration().scriptedFaults == [.none, fault])
    }
}
