import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("prep upload speaks the three contracts", .serialized)
struct UploadBackendTests {
    /// The members of SymptomSentry's responses that the tests use.
    private struct AnalysisResponse: Decodable {
        struct Condition: Decodable { var name: String }

        var id: String
        var type: String
        var conditions: [Condition]
    }

    @Test("SymptomSentry: after five analyses the quota is used up, and the remaining items are not-sent")
    func symptomSentryQuotaStopsUploads() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeDistinctImages(count: 8, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload([
                "in", "--to", "symptom-sentry", "--base-url", backend.url, "--type", "ear", "--uploads", "1",
                "--responses", "answers", "-o", "out",
            ])
            #expect(run.exitStatus == 1)
            let lines = try workspace.manifestLines()
            #expect(
                lines.uploadCountsByOutcome == [
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
            #expect(workspace.filePaths(below: "answers").count == 5)
            for line in lines where line.upload?.status == "acknowledged" {
                let answer = "answers/\(try #require(line.output)).json"
                #expect(try workspace.permissions(of: answer) == 0o600)
                let analysis = try JSONDecoder().decode(
                    AnalysisResponse.self, from: workspace.contents(ofFileAt: answer))
                #expect(analysis.id == line.upload?.id)
                #expect(analysis.type == "ear")
                #expect(analysis.conditions.count == 2)
            }
        }
    }

    @Test("SymptomSentry: an image that breaks a rule of its type is sent with a warning, and not at all with --strict")
    func symptomSentryAppliesThePolicyOfTheType() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in/a.jpg", "--to", "symptom-sentry", "--base-url", backend.url, "--type", "ear"]
            let strict = try await workspace.runUpload(arguments + ["--strict"])
            #expect(strict.exitStatus == 1 && backend.requestCount == 0)
            let rejected = try #require(try ManifestLineFixture.parseManifest(strict.standardOutput).first)
            #expect(rejected.verdict == "rejected" && rejected.reasons.map(\.code).contains("too-small"))
            let run = try await workspace.runUpload(arguments)
            #expect(run.exitStatus == 0 && backend.requestCount == 1)
            let sent = try #require(try ManifestLineFixture.parseManifest(run.standardOutput).first)
            #expect(sent.warnings.map(\.code).contains("too-small") && sent.upload?.status == "acknowledged")
        }
    }

    @Test(
        "SymptomSentry and KSR Cranes accept only images", arguments: ["symptom-sentry", "ksr-cranes"])
    func audioIsNotSentToImageOnlyBackends(_ name: String) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 1, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(
                [
                    "in", "--to", name, "--base-url", backend.url, "--type",
                    name == "ksr-cranes" ? "signature" : "throat",
                ])
            #expect(run.exitStatus == 1)
            #expect(
                try ManifestLineFixture.parseManifest(run.standardOutput).uploadCountsByOutcome == [
                    "failed invalid-item": 1
                ])
            #expect(backend.requestCount == 0)
        }
    }

    @Test(
        "KSR Cranes: an image is sent by its kind, and its id is its URL",
        arguments: [
            ("profile-image", "profile_image", "profile.jpg", "images"),
            ("signature", "signature", "signature.jpg", "signatures"),
        ])
    func ksrCranesImagesAreSentByKind(_ type: String, _ part: String, _ filename: String, _ place: String) async throws
    {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(
                ["in/a.jpg", "--to", "ksr-cranes", "--base-url", "\(backend.url)/", "--type", type])
            #expect(run.exitStatus == 0, "\(run.standardError)")
            let line = try #require(try ManifestLineFixture.parseManifest(run.standardOutput).first)
            let item = try #require(try backend.storedForms().first)
            #expect(item.requestPath == "/api/app/\(type)")
            #expect(
                item.files.map { "\($0.name) \($0.filename) \($0.sha256)" } == [
                    "\(part) \(filename) \(line.sha256 ?? "")"
                ])
            #expect(line.upload?.id == "/\(place)/\(item.id).jpg")
        }
    }

    /// The response of PetVisits to an audio file.
    private struct RecordingResponse: Decodable, Equatable {
        var visit_id: String
        var pet_id: String
        var appointment_id: String
        var duration_seconds: Double
    }

    /// A table with all kinds of line ends. Its files are named as the inputs are, or relative to the table.
    private static let petTableCSV =
        "\u{FEFF}\"visits/audio/Bella, the \"\"old\"\" cat.wav\",Pet1,\r\n"
        + "\"audio/Rex.wav\",\"Pet4\",DEF456\n\naudio/Rex again.wav,Pet2"

    @Test("PetVisits: each audio file belongs to its pet and appointment, and is a separate visit")
    func petVisitsAudioGetsOneVisitPerPet() async throws {
        let workspace = try TestWorkspace()
        let pets = [
            "Bella, the \"old\" cat.wav": ("Pet1", "ABC123"), "Rex.wav": ("Pet4", "DEF456"),
            "Rex again.wav": ("Pet2", "ABC123"),
        ]
        for (number, name) in pets.keys.sorted().enumerated() {
            try workspace.writeFile(
                makeWAV(makeToneSamples(amplitude: 0.3 + 0.1 * Double(number))), at: "visits/audio/\(name)")
        }
        try workspace.writeFile(Data(Self.petTableCSV.utf8), at: "visits/pets.csv")
        try await DevBackend.withRunningBackend { backend in
            let arguments = [
                "visits/audio", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pets",
                "visits/pets.csv", "--responses", "answers", "-o", "out",
            ]
            let run = try await workspace.runUpload(arguments)
            #expect(run.exitStatus == 0, "\(run.standardError)")
            let lines = try workspace.manifestLines()
            #expect(Set(lines.compactMap(\.upload?.id)).count == 3)
            for line in lines {
                let name = try #require(line.output)
                let id = try #require(line.upload?.id)
                let (pet, appointment) = try #require(pets[name])
                let answer = try JSONDecoder().decode(
                    RecordingResponse.self, from: workspace.contents(ofFileAt: "answers/\(name).json"))
                #expect(
                    answer
                        == RecordingResponse(
                            visit_id: id, pet_id: pet, appointment_id: appointment, duration_seconds: 1))
                let item = try #require(try backend.storedForms().first { $0.requestPath == "/api/visits/\(id)/audio" })
                #expect(
                    item.files.map { "\($0.name) \($0.filename) \($0.sha256)" } == [
                        "audio recording.wav \(line.sha256 ?? "")"
                    ])
            }
            let requests = backend.requestCount
            #expect(try await workspace.runUpload(arguments).exitStatus == 0)
            #expect(backend.requestCount == requests)
            #expect(try workspace.manifestLines().serverIDsByInput == lines.serverIDsByInput)
        }
    }

    @Test("A pet that is not in the appointment is rejected before anything is sent")
    func petOutsideAppointmentIsFoundBeforeSending() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 2, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(
                ["in", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pet", "Pet4"])
            #expect(run.exitStatus == 1)
            let lines = try ManifestLineFixture.parseManifest(run.standardOutput)
            #expect(lines.uploadCountsByOutcome == ["failed pet-not-in-appointment": 2])
            #expect(lines.map(\.upload?.bytesSent) == [0, 0])
            // Only the appointment was requested, and once more for the item that found it in the cache.
            #expect(backend.requestCount == 2)
            #expect(try backend.storedForms().isEmpty)
        }
    }

    @Test("An image among audio files, and audio that is missing from the table, are not sent; the others are")
    func imagesAndUnlistedAudioAreNotSentToPetVisits() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 2, in: "in")
        try workspace.writeSmallImage(at: "in/cat.jpg")
        try workspace.writeFile(Data("in/0.wav,Pet3\nin/cat.jpg,Pet3\n".utf8), at: "pets.csv")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload([
                "in", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pets", "pets.csv",
            ])
            #expect(run.exitStatus == 1)
            #expect(
                try ManifestLineFixture.parseManifest(run.standardOutput).uploadOutcomesByInput == [
                    "in/0.wav": "acknowledged", "in/1.wav": "failed validation-failed",
                    "in/cat.jpg": "failed invalid-item",
                ])
            // The appointment, the announcement and the audio.
            #expect(backend.requestCount == 3)
        }
    }

    @Test("The next run sends failed audio to its visit, and creates no second visit")
    func failedTransferResumesItsVisit() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 1, in: "in")
        try await DevBackend.withRunningBackend(
            options: DevBackendOptions { $0.faults.scriptedFaults = [.none, .none, .errorStatus(400)] }
        ) { backend in
            let arguments = [
                "in", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pet", "Pet1",
            ]
            let run = try await workspace.runUpload(arguments)
            #expect(
                try ManifestLineFixture.parseManifest(run.standardOutput).uploadCountsByOutcome == ["failed refused": 1]
            )
            let again = try await workspace.runUpload(arguments)
            #expect(again.exitStatus == 0, "\(again.standardError)")
            // The appointment again, and the audio; no announcement.
            #expect(backend.requestCount == 5)
            let id = try #require(try ManifestLineFixture.parseManifest(again.standardOutput).first?.upload?.id)
            #expect(try backend.storedForms().map(\.requestPath) == ["/api/visits/\(id)/audio"])
        }
    }
}
