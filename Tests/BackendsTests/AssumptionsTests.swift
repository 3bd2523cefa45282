import HTTPTestSupport
import Backends
import Foundation
import HTTPCalls
import HTTPTypes
import KSRCranesAPI
import PetVisitsAPI
import SymptomSentryAPI
import Testing
import TestSupport
import Uploading

@Suite("The parts that the specifications do not define are set in one place for each service")
struct AssumptionsTests {
    private static let base = "https://backend.test/v1"

    @Test("SymptomSentry: the path of saved analyses")
    func symptomSentry() async throws {
        var assumptions = SymptomSentryClient.Assumptions()
        assumptions.saveAnalysisPath = "/v2/history"
        let transport = StubTransport(.json(500, "{}"))
        let api = SymptomSentryClient(
            baseEndpoint: .test, client: HTTPClient(stub: transport), assumptions: assumptions)
        _ = await callError { () async throws(CallError) in
            try await api.saveAnalysis(.init(id: "a", type: .ear, timestamp: nil, conditions: []))
        }
        #expect(transport.calls == ["POST \(Self.base)/v2/history"])
    }

    private var petVisits: PetVisitsClient.Assumptions {
        var assumptions = PetVisitsClient.Assumptions()
        assumptions.appointmentPath = "calendar/{appointment_id}"
        assumptions.visitsPath = "calendar/{appointment_id}/recordings"
        assumptions.initiationPath = "recordings"
        assumptions.audioPath = "recordings/{visit_id}"
        assumptions.audioPartName = "file"
        assumptions.alreadyRecordedCode = "taken"
        for (key, name) in [
            ("id", "_id"), ("visits", "recordings"), ("visit_id", "visitId"), ("pet_id", "petId"),
            ("appointment_id", "appointmentId"), ("content_type", "contentType"), ("pets", "animals"),
            ("estimated_duration_seconds", "estimatedDurationSeconds"), ("duration_seconds", "durationSeconds"),
        ] { assumptions.fieldNames[key] = name }
        return assumptions
    }

    private func makePetServer(transfer: TransportResponse? = nil) -> StubTransport {
        let visit = #"{"visitId":"v/1","petId":"Pet1","appointmentId":"A/1","durationSeconds":2}"#
        return StubTransport { request in
            switch "\(request.method.rawValue) \("\(request.endpoint)".dropFirst(Self.base.count))" {
            case "GET /calendar/A%2F1": .json(#"{"_id":"A/1","animals":[{"_id":"Pet1"}]}"#)
            case "GET /calendar/A%2F1/recordings": .json(#"{"recordings":[\#(visit)]}"#)
            case "POST /recordings": .json(#"{"visitId":"v/1"}"#)
            case "POST /recordings/v%2F1": transfer ?? .json(visit)
            default: .json(404, "{}")
            }
        }
    }

    @Test("pet visits: paths, keys, the part and the code, in calls and in batches")
    func petVisitsCallsAndBatches() async throws {
        let transport = makePetServer()
        let api = PetVisitsClient(
            baseEndpoint: .test, client: HTTPClient(stub: transport), assumptions: petVisits)
        let audio = try PetVisitsClient.AudioItem(.makeAudio())
        #expect(try await api.uploadAudio(audio, petID: "Pet1", appointmentID: "A/1") == "v/1")
        #expect(try await api.visits(appointmentID: "A/1").map(\.durationSeconds) == [2])
        let destination = PetVisitsClient.Destination(
            baseEndpoint: .test, defaultAppointmentID: "A/1", assumptions: petVisits)
        let (results, _) = try await UploadHarness().upload(
            [.makeAudio()], to: destination, HTTPClient(stub: transport))
        #expect(results[0].status == .acknowledged && results[0].serverID == "v/1")
        let bodies = transport.requests.map(\.text)
        for body in [bodies[1], bodies[5]] {
            #expect(
                body == #"""
                    {"appointmentId":"A/1","contentType":"audio/mp4","estimatedDurationSeconds":12.5,\#
                    "filename":"recording.m4a","petId":"Pet1"}
                    """#)
        }
        #expect(bodies[2].contains(#"name="file"; filename="recording.m4a""#) && bodies[6].contains(#"name="file""#))

        let taken = makePetServer(transfer: .json(409, #"{"code":"taken"}"#))
        let resumed = PetVisitsClient(baseEndpoint: .test, client: HTTPClient(stub: taken), assumptions: petVisits)
        #expect(
            try await resumed.uploadAudio(audio, petID: "Pet1", appointmentID: "A/1", visitID: "v/1") == "v/1")
    }

    @Test("KSR Cranes: paths, keys, and the part and the name of the signature; the caller's own types keep their keys")
    func ksrCranes() async throws {
        var assumptions = KSRCranesClient.Assumptions()
        assumptions.loginPath = "login"
        assumptions.profilePath = "me"
        assumptions.profileImagePath = "me/image"
        assumptions.signaturePath = "me/signature"
        assumptions.signaturePartName = "file"
        assumptions.signatureFilename = "s.jpg"
        for (key, name) in [
            ("email", "user"), ("employee_id", "id"), ("image_url", "imageUrl"), ("signature_url", "url"),
            ("name", "fullName"),
        ] { assumptions.fieldNames[key] = name }
        let transport = StubTransport { request in
            switch "\(request.method.rawValue) \("\(request.endpoint)".dropFirst(Self.base.count))" {
            case "POST /login": .json(#"{"token":"t","employee":{"id":7,"fullName":"n","role":"chef"}}"#)
            case "PUT /me", "DELETE /me/image": .json(#"{"success":true,"message":"Done."}"#)
            case "GET /me": .json(#"{"id":7,"fullName":"n","role":"chef"}"#)
            case "POST /me/image": .json(#"{"message":"m","imageUrl":"/i"}"#)
            case "POST /me/signature": .json(#"{"message":"m","url":"/s","signed_at":"2025-06-01T00:00:00Z"}"#)
            case "GET /own": .json(#"{"id":7,"name":"n"}"#)
            default: .json(404, "{}")
            }
        }
        let api = KSRCranesClient(
            baseEndpoint: .test, client: HTTPClient(stub: transport), assumptions: assumptions)
        #expect(try await api.login(email: "e", password: "p").employee.id == 7)
        #expect(try await api.profile().name == "n")
        #expect(try await api.updateProfile(name: "N") == "Done.")
        #expect(try await api.deleteProfileImage() == "Done.")
        #expect(try await api.uploadProfileImage(.makeImage()).imageURL == "/i")
        #expect(try await api.uploadSignature(.makeImage()).signatureURL == "/s")
        struct Own: Codable, Equatable { var id: Int, name: String }
        #expect(try await api.get(path: "/own") == Own(id: 7, name: "n"))
        #expect(transport.requests[0].text == #"{"password":"p","user":"e"}"#)
        #expect(transport.requests[2].text == #"{"fullName":"N"}"#)
        #expect(transport.requests[5].text.contains(#"name="file"; filename="s.jpg""#))
        let destination = KSRCranesClient.Destination(
            baseEndpoint: .test, imageKind: .signature, assumptions: assumptions)
        let (results, _) = try await UploadHarness().upload(
            [.makeImage()], to: destination, HTTPClient(stub: transport))
        #expect(results[0].serverID == "/s")
    }

    @Test("no other file has a path of a call, except the specification's own")
    func pathsAreInOnePlace() throws {
        let documented: Set = [
            "api/login", "api/analyze", "api/user-profile", "api/update-profile", "api/update-subscription",
            "api/messages",
        ]
        var found: Set<String> = []
        for module in ["Backends", "SymptomSentryAPI", "PetVisitsAPI", "KSRCranesAPI", "MessagesAPI"] {
            let directory = SampleMedia.repositoryURL.appending(path: "Sources/\(module)")
            let paths = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
            for path in paths
            where path.hasSuffix(".swift") && !path.hasSuffix("Assumptions.swift") && path != "RolePaths.swift" {
                let source = try String(contentsOf: directory.appending(path: path), encoding: .utf8)
                // SymptomSentry's assumptions are two variables of its client.
                let code = source.split(separator: "\n").filter { !$0.contains("//") && !$0.contains("public var") }
                for match in code.joined(separator: "\n").matches(of: #/"api", "([^"]+)"|"/?(api/[^"]+)"/#) {
                    found.insert(match.1.map { "api/\($0)" } ?? match.2.map(String.init) ?? "")
                }
                if module == "SymptomSentryAPI" {
                    for match in source.matches(of: /pathSegment: "([^"]+)"/) { found.insert("api/\(match.1)") }
                }
            }
        }
        #expect(found == documented)
    }
}
