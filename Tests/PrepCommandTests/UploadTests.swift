import Foundation
import Synchronization
import TestSupport
import Testing

@testable import dev_backend

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("prep upload sends each prepared file once", .serialized)
struct UploadTests {
    /// Two images and two audio files that are named after a patient.
    private func makeWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeFile(try SmallImage.ear.get(), at: "in/Ann Example.jpg")
        try workspace.writeFile(try SmallImage.throat.get(), at: "in/b/throat.png")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/Ann Example.wav")
        try workspace.writeFile(
            try Data(contentsOf: SampleMedia.goodAudio(named: "visit-note.opus")), at: "in/b/note.opus")
        return workspace
    }

    @Test("Images and audio arrive as prepared, without their names; a second run sends nothing")
    func preparedFilesArriveAnonymouslyAndOnce() async throws {
        let workspace = try makeWorkspace()
        try await DevBackend.withRunningBackend { backend in
            let arguments = [
                "in", "--to", backend.uploadURL, "--output", "out", "--field", "album=42", "--field", "note=a=b",
                "--part", "media",
            ]
            let run = try await workspace.runUpload(arguments)
            #expect(run.exitStatus == 0, "\(run.standardError)")
            let lines = try workspace.manifestLines()
            #expect(lines.count == 4)
            let items = try backend.storedForms()
            #expect(items.count == 4)
            for line in lines {
                let upload = try #require(line.upload)
                #expect(upload.statusAndReasonCode == "acknowledged")
                #expect(upload.attempts == 1)
                #expect(upload.bytesSent > line.outputBytes ?? .max)
                let item = try #require(items.first { $0.id == upload.id })
                #expect(item.fields.map { "\($0.name)=\($0.value)" } == ["album=42", "note=a=b"])
                #expect(item.files.map(\.name) == ["media"])
                let output = try #require(line.output)
                #expect(
                    item.files.map(\.sha256) == [sha256Digest(of: try workspace.contents(ofFileAt: "out/\(output)"))])
                #expect(item.idempotencyKey == nil)
            }
            let names = items.flatMap(\.files).map { "\($0.filename) \($0.mediaType ?? "")" }.sorted()
            #expect(
                names == [
                    "image.jpg image/jpeg", "image.jpg image/jpeg", "recording.opus audio/ogg",
                    "recording.wav audio/wav",
                ])
            let requests = backend.requestCount
            let again = try await workspace.runUpload(arguments)
            #expect(again.exitStatus == 0, "\(again.standardError)")
            #expect(again.standardError.contains("4 acknowledged"))
            #expect(backend.requestCount == requests)
            #expect(try workspace.manifestLines().serverIDsByInput == lines.serverIDsByInput)
        }
    }

    @Test(
        "The same file of two accounts is sent twice, with and without an output directory",
        arguments: [["-o", "out"], []])
    func accountsAreSeparate(_ place: [String]) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            for (account, count) in [
                (["--account", "a"], 1), (["--account", "b"], 2), (["--account", "a"], 2), ([], 3),
            ] {
                let run = try await workspace.runUpload(["in", "--to", backend.uploadURL] + place + account)
                #expect(run.exitStatus == 0, "\(run.standardError)")
                #expect(backend.requestCount == count)
            }
            let unsigned = try await workspace.runUpload(
                ["in", "--to", backend.uploadURL, "--account", "a"], environment: ["PREP_TOKEN": nil])
            #expect(unsigned.exitStatus == 2)
            #expect(unsigned.standardError.contains("--account names the account of a token, and there is no token"))
        }
    }

    @Test("Without an output directory, inputs of the same name are all sent")
    func inputsOfSameNameAreSent() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeDistinctImages(count: 4, in: "images")
        // The directory `2` has the name that the second input's directory would have.
        try workspace.runShellScript(
            "mkdir a b c 2; for d in 0:a 1:b 2:c 3:2; do mv images/${d%:*}.jpg ${d#*:}/x.jpg; done")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["c/x.jpg", "2", "b/x.jpg", "a/x.jpg", "--to", backend.uploadURL]
            for _ in 0..<2 {
                let run = try await workspace.runUpload(arguments)
                #expect(run.exitStatus == 0, "\(run.standardError)")
                let lines = try ManifestLineFixture.parseManifest(run.standardOutput)
                #expect(lines.map(\.input) == ["2/x.jpg", "a/x.jpg", "b/x.jpg", "c/x.jpg"])
                #expect(lines.uploadCountsByOutcome == ["acknowledged": 4])
                #expect(backend.requestCount == 4)
            }
            #expect(Set(try backend.storedFiles().map(\.sha256)).count == 4)
            // Responses have the names of outputs, so that equal ones are a collision.
            let named = try await workspace.runUpload(arguments + ["--responses", "answers", "--force"])
            #expect(named.exitStatus == 1)
            #expect(
                try ManifestLineFixture.parseManifest(named.standardOutput).verdictsByInput == [
                    "2/x.jpg": "converted", "a/x.jpg": "converted", "b/x.jpg": "rejected name-collision",
                    "c/x.jpg": "rejected name-collision",
                ])
            #expect(workspace.filePaths(below: "answers") == ["2/x.jpg.json", "x.jpg.json"])
        }
    }

    @Test("The output of an input that is not part of the upload is neither replaced nor sent")
    func outputOfOtherInputIsKept() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "a/x.jpg")
        try workspace.writeFile(try SmallImage.throat.get(), at: "b/x.jpg")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["--to", backend.uploadURL, "--output", "out"]
            #expect(try await workspace.runUpload(["a/x.jpg"] + arguments).exitStatus == 0)
            let before = try workspace.contents(ofFileAt: "out/x.jpg")
            #expect(try await workspace.runUpload(["b/x.jpg"] + arguments).exitStatus == 1)
            #expect(try workspace.manifestLines().verdictsByInput == ["b/x.jpg": "rejected name-collision"])
            #expect(try workspace.contents(ofFileAt: "out/x.jpg") == before)
            #expect(backend.requestCount == 1)
            // Without an output directory, nothing can be replaced.
            #expect(try await workspace.runUpload(["b/x.jpg", "--to", backend.uploadURL]).exitStatus == 0)
            #expect(backend.requestCount == 2)
        }
    }

    @Test("A video, and a codec with a file name extension of its own, have their own media types")
    func mediaTypeIsThatOfTracks() async throws {
        let workspace = try TestWorkspace()
        var movie = makeQuickTimeMovie()
        movie.replace(Data("qt  ".utf8), with: Data("isom".utf8), maxReplacements: 1)
        try workspace.writeFile(movie, at: "in/movie.mp4")
        try workspace.writeFile(Data(#"{"allows_video": true}"#.utf8), at: "policy")
        try workspace.runShellScript("cp '\(SampleMedia.repositoryURL.path)'/Samples/recordings/*.opus in/note.opus")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(
                ["in/movie.mp4", "in/note.opus", "--to", backend.uploadURL, "--audio-policy", "policy"])
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(
                try backend.storedFiles().map { "\($0.filename) \($0.mediaType ?? "")" }.sorted()
                    == ["recording.mp4 video/mp4", "recording.opus audio/ogg"])
        }
    }

    @Test("With --original-names, files are sent under the names of their outputs")
    func originalNamesAreSentOnRequest() async throws {
        let workspace = try makeWorkspace()
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(["in", "--to", backend.uploadURL, "-o", "out", "--original-names"])
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(
                try backend.storedFiles().map(\.filename).sorted() == [
                    "Ann Example.jpg", "Ann Example.wav", "note.opus", "throat.png.jpg",
                ])
            #expect(try Set(backend.storedFiles().map(\.name)) == ["file"])
        }
    }

    @Test("Without an output directory only the private ledger remains; a second run sends nothing")
    func uploadWithoutOutputKeepsOnlyPrivateLedger() async throws {
        let workspace = try makeWorkspace()
        let inputs = workspace.filePaths(below: "in")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(["in", "--to", backend.uploadURL])
            #expect(run.exitStatus == 0, "\(run.standardError)")
            let lines = try ManifestLineFixture.parseManifest(run.standardOutput)
            #expect(lines.map(\.output) == [nil, nil, nil, nil])
            #expect(lines.uploadCountsByOutcome == ["acknowledged": 4])
            #expect(try Set(lines.map(\.sha256)) == Set(backend.storedFiles().map(\.sha256)))
            #expect(try workspace.entryNames(in: "") == ["in", "state"])
            #expect(workspace.filePaths(below: "in") == inputs)
            let record = try #require(workspace.filePaths(below: "state").first)
            #expect(workspace.filePaths(below: "state") == [record])
            #expect(record.wholeMatch(of: #/prep/upload-[0-9a-f]{16}/ledger\.sqlite/#) != nil)
            let place = "state/\(record.dropLast("/ledger.sqlite".count))"
            #expect(try workspace.entryNames(in: place) == ["ledger.sqlite"])
            #expect(try workspace.permissions(of: "state/prep") == 0o700)
            #expect(try workspace.permissions(of: place) == 0o700)
            #expect(try workspace.permissions(of: "state/\(record)") == 0o600)
            let requests = backend.requestCount
            let again = try await workspace.runUpload(["in", "--to", backend.uploadURL])
            #expect(again.exitStatus == 0, "\(again.standardError)")
            #expect(backend.requestCount == requests)
            #expect(
                try ManifestLineFixture.parseManifest(again.standardOutput).serverIDsByInput == lines.serverIDsByInput)
        }
    }

    @Test("The state directory is in the home directory by default")
    func stateDirectoryDefaultsToHome() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(
                ["in", "--to", backend.uploadURL],
                environment: ["XDG_STATE_HOME": nil, "HOME": workspace.fileURL(at: "home").path])
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(try workspace.entryNames(in: "home/.local/state") == ["prep"])
            #expect(try workspace.permissions(of: "home/.local/state/prep") == 0o700)
        }
    }

    @Test("Prepared files in a state directory whose name is not UTF-8 are removed, and no others")
    func stateDirectoryNameNeedNotBeUTF8() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b/c.jpg")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUploadScript(
                #"""
                export XDG_STATE_HOME="$PWD/$(printf 'st\377te')"
                $PREP upload in --to "$URL" >lines || exit
                cd "$XDG_STATE_HOME/prep/"upload-* || exit
                # A run that was killed leaves its files, and the next one removes them.
                other="${PWD%/st*}/st$(printf '\357\277\275')te/prep/${PWD##*/}/outbox"
                mkdir -p outbox/deep/er "$other"
                touch outbox/deep/er/c.jpg outbox/.hidden "$other/letter.txt"
                ln -s "$other" outbox/deep/link
                cd ../../..
                $PREP upload in --to "$URL" >lines || exit
                ls -A "$XDG_STATE_HOME/prep/"upload-*
                ls "$other"
                """#, to: backend.uploadURL)
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(run.standardOutput == "ledger.sqlite\nletter.txt\n")
        }
    }

    @Test("Prepared files of a killed run are removed, also below more directories than a process may open files")
    func deepPreparedFilesAreRemoved() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUploadScript(
                #"""
                $PREP upload in --to "$URL" >lines || exit
                cd "$XDG_STATE_HOME/prep/"upload-* || exit
                mkdir -p "outbox/$(printf 'd/%.0s' $(seq 150))"
                touch "outbox/$(printf 'd/%.0s' $(seq 150))c.jpg"
                cd - >/dev/null
                ulimit -n 128
                $PREP upload in --to "$URL" >lines || exit
                ls -A "$XDG_STATE_HOME/prep/"upload-*
                """#, to: backend.uploadURL)
            #expect(run.exitStatus == 0, "\(run.standardError)")
            #expect(run.standardOutput == "ledger.sqlite\n")
        }
    }

    @Test(
        "Another URL, field or part name makes another upload; another order of fields does not",
        arguments: [["-o", "out"], []])
    func otherURLFieldOrPartIsAnotherUpload(_ place: [String]) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        try await DevBackend.withRunningBackend { backend in
            let (one, two) = (["--field", "a=1"], ["--field", "b=2"])
            let arguments: [([String], Int)] = [
                ([], 1), (one, 2), (one + two, 3), (two + one, 3), (["--part", "a"], 4), (["--part", "file"], 4),
            ]
            for (arguments, count) in arguments {
                let run = try await workspace.runUpload(["in", "--to", backend.uploadURL] + place + arguments)
                #expect(run.exitStatus == 0, "\(run.standardError)")
                #expect(try backend.storedForms().count == count)
            }
            #expect(try await workspace.runUpload(["in", "--to", "\(backend.uploadURL)?b"] + place).exitStatus == 0)
            #expect(try backend.storedForms().count == 5)
        }
    }

    @Test("Inputs that cannot be prepared are reported, and the others are sent")
    func unpreparableInputsAreReportedAndOthersSent() async throws {
        let workspace = try makeWorkspace()
        try workspace.writeFile(try Data(contentsOf: SampleMedia.damagedFile(named: "text.jpg")), at: "in/text.jpg")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(["in", "--to", backend.uploadURL, "-o", "out"])
            #expect(run.exitStatus == 1)
            #expect(run.standardError.contains("prep: in/text.jpg: rejected (unrecognized-format)"))
            let lines = try workspace.manifestLines()
            #expect(lines.verdictsByInput["in/text.jpg"] == "rejected unrecognized-format")
            #expect(lines.uploadOutcomesByInput["in/text.jpg"] == nil)
            #expect(lines.uploadCountsByOutcome == ["acknowledged": 4])
            #expect(try backend.storedForms().count == 4)
        }
    }

    @Test("Of equal images one is sent, and the others are reported as duplicates")
    func equalImagesAreSentOnce() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg", "in/c.jpg")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.uploadURL, "-o", "out"]
            for _ in 1...2 {
                let run = try await workspace.runUpload(arguments)
                #expect(run.exitStatus == 0, "\(run.standardError)")
                #expect(run.standardError.contains("1 acknowledged, 2 duplicate-of"))
                let lines = try workspace.manifestLines()
                #expect(lines.uploadCountsByOutcome == ["acknowledged": 1, "duplicate-of": 2])
                let sent = try #require(lines.first { $0.upload?.status == "acknowledged" })
                for line in lines where line.input != sent.input {
                    let upload = try #require(line.upload)
                    #expect(upload.duplicateOf == sent.input)
                    #expect(upload.id == sent.upload?.id)
                    #expect(upload.attempts == 0)
                    #expect(upload.bytesSent == 0)
                }
                #expect(backend.requestCount == 1)
            }
        }
    }

    @Test("With --force, everything is sent again with other keys")
    func forceResendsEverythingWithNewKeys() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 2, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let arguments = ["in", "--to", backend.uploadURL, "-o", "out", "--idempotent"]
            for count in 1...3 {
                #expect(try await workspace.runUpload(arguments + (count > 1 ? ["--force"] : [])).exitStatus == 0)
                let items = try backend.storedForms()
                #expect(items.count == 2 * count)
                #expect(Set(items.compactMap(\.idempotencyKey)).count == 2 * count)
                #expect(Set(try backend.storedFiles().map(\.sha256)).count == 2)
                #expect(Set(try workspace.manifestLines().serverIDsByInput.values) == Set(items.suffix(2).map(\.id)))
            }
        }
    }

    @Test("Lines of a plan that need no preparation are reported unchanged, and the other outputs are sent")
    func planOutputsAreSentAndCompletedLinesRepeated() async throws {
        let workspace = try makeWorkspace()
        try workspace.writeFile(Data("text".utf8), at: "in/text.jpg")
        try workspace.writeFile(
            Data(try workspace.runPrep("in", "-o", "out", "--dry-run").standardOutput.utf8), at: "plan")
        try await DevBackend.withRunningBackend { backend in
            let run = try await workspace.runUpload(["--plan", "plan", "--to", backend.uploadURL, "-o", "out"])
            #expect(run.exitStatus == 1)
            let lines = try workspace.manifestLines()
            #expect(lines.count == 5)
            #expect(lines.uploadCountsByOutcome == ["acknowledged": 4])
        }
    }

    @Test("An interrupted run waits for the answers to files that it has sent, without keys, too")
    func interruptionWaitsForAnswers() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 12, in: "in")
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.responseDelay = .milliseconds(500) }) {
            backend in
            let isSent = Mutex(false)
            let arguments = ["in", "--to", backend.uploadURL, "--uploads", "2", "-o", "out"]
            let run = try await workspace.runUpload(arguments) { process in
                let hasBegun = backend.requestCount >= 3
                isSent.withLock { isSent in if hasBegun, !isSent { isSent = kill(process, SIGINT) == 0 } }
            }
            #expect(run.exitStatus == 130)
            let outcomes = try workspace.manifestLines().uploadCountsByOutcome
            // A file whose turn had come, but of which nothing was sent yet, is cancelled.
            #expect(Set(outcomes.keys).isSubset(of: ["acknowledged", "failed cancelled"]), "\(outcomes)")
            let storedCount = try backend.storedForms().count
            #expect((1..<12).contains(storedCount) && outcomes["acknowledged"] == storedCount)
            let rest = try await workspace.runUpload(arguments)
            #expect(rest.exitStatus == 0, "\(rest.standardError)")
            #expect(try workspace.manifestLines().uploadCountsByOutcome == ["acknowledged": 12])
            #expect(try backend.storedForms().count == 12)
        }
    }

    @Test("After an interruption and a second run, the server has each item once", arguments: [["-o", "out"], []])
    func interruptedUploadResumesWithoutDuplicates(_ place: [String]) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeShortAudioFiles(count: 12, in: "in")
        try await DevBackend.withRunningBackend(options: DevBackendOptions { $0.responseDelay = .milliseconds(150) }) {
            backend in
            let arguments = ["in", "--to", backend.uploadURL, "--uploads", "2", "--idempotent"] + place
            let isSent = Mutex(false)
            let run = try await workspace.runUpload(arguments) { process in
                let hasBegun = (try? backend.storedForms().count) ?? 0 >= 3
                // After a second signal, it would end at once.
                isSent.withLock { isSent in if hasBegun, !isSent { isSent = kill(process, SIGINT) == 0 } }
            }
            #expect(run.exitStatus == 130)
            #expect(run.standardError.contains("before the run stopped"))
            #expect((3..<12).contains(try backend.storedForms().count))
            let rest = try await workspace.runUpload(arguments)
            #expect(rest.exitStatus == 0, "\(rest.standardError)")
            let lines =
                try place.isEmpty ? ManifestLineFixture.parseManifest(rest.standardOutput) : workspace.manifestLines()
            #expect(lines.uploadCountsByOutcome == ["acknowledged": 12])
            #expect(try backend.storedForms().count == 12)
            #expect(try Set(backend.storedFiles().map(\.sha256)).count == 12)
            #expect(workspace.filePaths(below: "state").count == (place.isEmpty ? 1 : 0))
        }
    }
}
