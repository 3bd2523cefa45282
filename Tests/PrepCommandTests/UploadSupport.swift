import Foundation
import MediaPrep
import TestSupport
import Testing

@testable import dev_backend

extension DevBackendOptions {
    init(configuredBy change: (inout DevBackendOptions) -> Void) {
        self.init()
        change(&self)
    }
}

extension DevBackend {
    /// The endpoint that accepts any form.
    var uploadURL: String { "\(url)/upload" }

    /// All stored files.
    func storedFiles() throws -> [StoredForm.File] { try storedForms().flatMap(\.files) }
}

extension TestWorkspace {
    /// The default environment of `prep upload` in tests.
    private var uploadEnvironment: [String: String?] {
        ["PREP_TOKEN": "dev-token", "XDG_STATE_HOME": fileURL(at: "state").path]
    }

    /// Runs `prep upload` on a separate thread, because the backend needs those of the test.
    ///
    /// - Parameter watch: called repeatedly with the process ID while it runs.
    func runUpload(
        _ arguments: [String], environment: [String: String?] = [:], watch: (@Sendable (Int32) -> Void)? = nil
    ) async throws -> PrepProcess {
        let environment = uploadEnvironment.merging(environment) { _, new in new }
        return try await runBlocking { [url] in
            try PrepProcess(arguments: ["upload"] + arguments, in: url, environment: environment, watch: watch)
        }
    }

    /// Runs a shell script. In it, `$PREP` is the command and `$URL` the endpoint.
    func runUploadScript(_ script: String, to endpoint: String) async throws -> PrepProcess {
        let state = fileURL(at: "state").path
        return try await runBlocking { [url] in
            try PrepProcess(
                script: "export PREP_TOKEN=dev-token XDG_STATE_HOME='\(state)' URL='\(endpoint)'\n\(script)", in: url)
        }
    }

    /// The mode of a file or directory.
    func permissions(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: fileURL(at: path).path)[.posixPermissions] as? Int
    }

    /// Writes `count` different audio files of 0.1 s.
    func writeShortAudioFiles(count: Int, in directory: String) throws {
        for number in 0..<count {
            try writeFile(
                makeWAV(Array(makeToneSamples(amplitude: 0.2 + 0.01 * Double(number)).prefix(800))),
                at: "\(directory)/\(number).wav")
        }
    }

    /// Writes `count` different small images.
    func writeDistinctImages(count: Int, in directory: String) throws {
        for number in 0..<count {
            let photo = try ImagePreparer(maxDimension: 90 - number, quality: 95).prepare(SmallImage.ear.get())
            try writeFile(photo.data, at: "\(directory)/\(number).jpg")
        }
    }
}

/// Runs `work`, which blocks, on a separate thread.
func runBlocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
    }
}

extension ManifestLineFixture {
    /// The outcome of an upload.
    struct Upload: Decodable, Equatable {
        struct Reason: Decodable, Equatable {
            var code: String
            var message: String
            var status: Int?
            var serverCode: String?
            var serverDetails: String?
        }

        var status: String
        var id: String?
        var attempts: Int
        var bytesSent: Int
        var duplicateOf: String?
        var reason: Reason?

        /// The status with the code of the reason.
        var statusAndReasonCode: String { ([status] + [reason?.code].compactMap { $0 }).joined(separator: " ") }
    }
}

extension [ManifestLineFixture] {
    /// The outcome of each upload.
    var uploadOutcomesByInput: [String: String] {
        Dictionary(
            uniqueKeysWithValues: compactMap { line in line.upload.map { (line.input, $0.statusAndReasonCode) } })
    }

    /// The number of uploads by outcome.
    var uploadCountsByOutcome: [String: Int] {
        uploadOutcomesByInput.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The server's IDs.
    var serverIDsByInput: [String: String?] { Dictionary(uniqueKeysWithValues: map { ($0.input, $0.upload?.id) }) }
}
