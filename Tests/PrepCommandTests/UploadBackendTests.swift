import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("prep upload speaks the three contracts", .serialized)
struct UploadBackendTests {
    /// What SymptomSentry answers, as far as it matters here.
    private struct Analysis: Decodable {
        struct Condition: Decodable { var name: String }

        var id: String
        var type: String
        var conditions: [Condition]
    }

    @Test("SymptomSentry: five analyses, then the quota is used up, and what wasn't tried is not-sent")
    func quota() async throws {
        let workspace = try Workspace()
        try workspace.writeDifferentPhotos(8, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload([
                "in", "--to", "symptom-sentry", "--base-url", backend.url, "--type", "ear", "--uploads", "1",
                "--responses", "answers", "-o", "out",
            ])
            #expect(run.status == 1)
            let lines = try workspace.manifest()
            #expect(
                lines.uploadCounts == [
                    "acknowledged": 5, "failed quota-exhausted": 1, "not-sent quota-exhausted": 2,
                ])
            #expect(backend.requestCount == 6)
            let items = try backend.storedForms()
            #expect(items.map(\.requestPath) == Array(repeating: "/api/analyze", count: 5))
            for item in items {
                #expect(item.fields.map { "\($0.name)=\($0.value)" } == ["type=ear"])
                #expect(
                    item.files.map { "\($0.name) \($0.filename) \($0.mediaType ?? "")" } == [
                        "image image.jpg image/jpeg"
                    ])
            }
            #expect(workspace.files(below: "answers").count == 5)
            for line in lines where line.upload?.status == "acknowledged" {
                let answer = "answers/\(try #require(line.output)).json"
                #expect(try workspace.permissions(of: answer) == 0o600)
                let analysis = try JSONDecoder().decode(Analysis.self, from: workspace.contents(answer))
                #expect(analysis.id == line.upload?.id)
                #expect(analysis.type == "ear")
                #expect(analysis.conditions.count == 2)
            }
        }
    }

    @Test(
        "What is no picture is for neither SymptomSentry nor KSR Cranes", arguments: ["symptom-sentry", "ksr-cranes"])
    func recordings(_ name: String) async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(1, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(
                [
                    "in", "--to", name, "--base-url", backend.url, "--type",
                    name == "ksr-cranes" ? "signature" : "throat",
                ])
            #expect(run.status == 1)
            #expect(try Line.all(in: run.output).uploadCounts == ["failed invalid-item": 1])
            #expect(backend.requestCount == 0)
        }
    }

    @Test(
        "KSR Cranes: a picture is sent as what it is, and its id is where it is",
        arguments: [
            ("profile-image", "profile_image", "profile.jpg", "images"),
            ("signature", "signature", "signature.jpg", "signatures"),
        ])
    func cranes(_ type: String, _ part: String, _ filename: String, _ place: String) async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(
                ["in/a.jpg", "--to", "ksr-cranes", "--base-url", "\(backend.url)/", "--type", type])
            #expect(run.status == 0, "\(run.errors)")
            let line = try #require(try Line.all(in: run.output).first)
            let item = try #require(try backend.storedForms().first)
            #expect(item.requestPath == "/api/app/\(type)")
            #expect(
                item.files.map { "\($0.name) \($0.filename) \($0.sha256)" } == [
                    "\(part) \(filename) \(line.sha256 ?? "")"
                ])
            #expect(line.upload?.id == "/\(place)/\(item.id).jpg")
        }
    }

    /// What PetVisits answers to a recording.
    private struct Recorded: Decodable, Equatable {
        var visit_id: String
        var pet_id: String
        var appointment_id: String
        var duration_seconds: Double
    }

    /// A table whose lines end in all ways, with files named as the inputs are and relative to the table.
    private static let table =
        "\u{FEFF}\"visits/audio/Bella, the \"\"old\"\" cat.wav\",Pet1,\r\n"
        + "\"audio/Rex.wav\",\"Pet4\",DEF456\n\naudio/Rex again.wav,Pet2"

    @Test("PetVisits: each recording is of its pet in its appointment, and is a visit of its own")
    func visits() async throws {
        let workspace = try Workspace()
        let pets = [
            "Bella, the \"old\" cat.wav": ("Pet1", "ABC123"), "Rex.wav": ("Pet4", "DEF456"),
            "Rex again.wav": ("Pet2", "ABC123"),
        ]
        for (number, name) in pets.keys.sorted().enumerated() {
            try workspace.write(wave(tone(0.3 + 0.1 * Double(number))), "visits/audio/\(name)")
        }
        try workspace.write(Data(Self.table.utf8), "visits/pets.csv")
        try await DevBackend.withRunningBackend { backend in
            let arguments = [
                "visits/audio", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pets",
                "visits/pets.csv", "--responses", "answers", "-o", "out",
            ]
            let run = try await workspace.upload(arguments)
            #expect(run.status == 0, "\(run.errors)")
            let lines = try workspace.manifest()
            #expect(Set(lines.compactMap(\.upload?.id)).count == 3)
            for line in lines {
                let name = try #require(line.output)
                let id = try #require(line.upload?.id)
                let (pet, appointment) = try #require(pets[name])
                let answer = try JSONDecoder().decode(Recorded.self, from: workspace.contents("answers/\(name).json"))
                #expect(
                    answer == Recorded(visit_id: id, pet_id: pet, appointment_id: appointment, duration_seconds: 1))
                let item = try #require(try backend.storedForms().first { $0.requestPath == "/api/visits/\(id)/audio" })
                #expect(
                    item.files.map { "\($0.name) \($0.filename) \($0.sha256)" } == [
                        "audio recording.wav \(line.sha256 ?? "")"
                    ])
            }
            let requests = backend.requestCount
            #expect(try await workspace.upload(arguments).status == 0)
            #expect(backend.requestCount == requests)
            #expect(try workspace.manifest().ids == lines.ids)
        }
    }

    @Test("A pet that isn't in the appointment is found out before anything is sent")
    func otherPet() async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(2, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload(
                ["in", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pet", "Pet4"])
            #expect(run.status == 1)
            let lines = try Line.all(in: run.output)
            #expect(lines.uploadCounts == ["failed pet-not-in-appointment": 2])
            #expect(lines.map(\.upload?.bytesSent) == [0, 0])
            // The appointment was asked for, and nothing else.
            #expect(backend.requestCount == 1)
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test("A picture among recordings, and a recording that the table doesn't have, are not sent; the others are")
    func mixed() async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(2, in: "in")
        try workspace.writePhotos("in/cat.jpg")
        try workspace.write(Data("in/0.wav,Pet3\nin/cat.jpg,Pet3\n".utf8), "pets.csv")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.upload([
                "in", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pets", "pets.csv",
            ])
            #expect(run.status == 1)
            #expect(
                try Line.all(in: run.output).uploads == [
                    "in/0.wav": "acknowledged", "in/1.wav": "failed validation-failed",
                    "in/cat.jpg": "failed invalid-item",
                ])
            // The appointment, the announcement and the recording.
            #expect(backend.requestCount == 3)
        }
    }

    @Test("A recording whose transfer failed goes to its visit by the next run, and no second visit is made")
    func continuedVisit() async throws {
        let workspace = try Workspace()
        try workspace.writeBeeps(1, in: "in")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.none, .none, .errorStatus(400)] }
        ) { backend in
            let arguments = [
                "in", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pet", "Pet1",
            ]
            let run = try await workspace.upload(arguments)
            #expect(try Line.all(in: run.output).uploadCounts == ["failed refused": 1])
            let again = try await workspace.upload(arguments)
            #expect(again.status == 0, "\(again.errors)")
            // The appointment once more, and the recording; no announcement.
            #expect(backend.requestCount == 5)
            let id = try #require(try Line.all(in: again.output).first?.upload?.id)
            #expect(try backend.storedForms().map(\.requestPath) == ["/api/visits/\(id)/audio"])
        }
    }
}
