import Dispatch
import Foundation
import Testing

/// One run of the built `prep` as a separate process.
struct PrepProcess {
    let exitStatus: Int32
    let standardOutput: String
    let standardError: String

    /// The command that was built together with these tests. It is beside their bundle.
    private static let executableURL: URL? = {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let beside = [URL(filePath: CommandLine.arguments[0])] + bundles + [Bundle.main.executableURL].compactMap { $0 }
        let places = beside.map { $0.deletingLastPathComponent() } + [Bundle.main.bundleURL]
        return places.map { $0.appending(path: "prep") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// The path of the command.
    static var executablePath: String? { executableURL?.path }

    /// Runs `prep` to its end.
    ///
    /// - Parameters:
    ///   - environment: the changed variables of the environment; `nil` removes a variable.
    ///   - watch: called repeatedly with the process ID while it runs.
    init(
        arguments: [String], in directory: URL, environment: [String: String?] = [:], watch: ((Int32) -> Void)? = nil
    ) throws {
        let executable = try #require(Self.executableURL, "build the product prep first")
        try self.init(executable, arguments, in: directory, environment: environment, watch: watch)
    }

    /// Runs a shell script to its end. In it, `$PREP` is the command.
    ///
    /// - Parameter watch: called repeatedly with the shell's process ID while it runs. With `exec` in the script, it is
    ///   the command's.
    init(script: String, in directory: URL, watch: ((Int32) -> Void)? = nil) throws {
        let executable = try #require(Self.executableURL, "build the product prep first")
        try self.init(
            URL(filePath: "/bin/sh"), ["-c", script], in: directory, environment: ["PREP": executable.path],
            watch: watch)
    }

    private init(
        _ executable: URL, _ arguments: [String], in directory: URL, environment: [String: String?],
        watch: ((Int32) -> Void)?
    ) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.environment = ProcessInfo.processInfo.environment.merging(
            environment.compactMapValues { $0 }, uniquingKeysWith: { _, new in new }
        ).filter { environment[$0.key] != .some(nil) }
        // Unlike pipes, files accept any amount of text without a reader.
        let logs = try TestWorkspace()
        let (outputFile, errorFile) = (
            try logs.writeFile(Data(), at: "output"), try logs.writeFile(Data(), at: "errors")
        )
        // They are closed here, because `CodingProcess` would keep them open for a long time.
        let streams = [try FileHandle(forWritingTo: outputFile), try FileHandle(forWritingTo: errorFile)]
        defer { for stream in streams { try? stream.close() } }
        (process.standardOutput, process.standardError) = (streams[0], streams[1])
        process.standardInput = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        if let watch {
            while ended.wait(timeout: .now() + .milliseconds(2)) == .timedOut { watch(process.processIdentifier) }
        } else {
            ended.wait()
        }
        exitStatus = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        standardOutput = String(decoding: try Data(contentsOf: outputFile), as: UTF8.self)
        standardError = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
    }
}

/// A line of a manifest.
struct ManifestLineFixture: Decodable, Equatable {
    struct Reason: Decodable, Equatable {
        var code: String
        var message: String
        var offset: Int?
    }

    struct Image: Decodable, Equatable {
        var width: Int
        var height: Int
        var sourceWidth: Int
        var sourceHeight: Int
        var orientation: Int
        var quality: Int?
        var estimatedScore: Double?
        var chroma: String?
        var icc: Bool?
        var color: Color?
        var measures: Measures?

        struct Color: Decodable, Equatable {
            var profile: String?
            var converted: Bool
        }

        struct Measures: Decodable, Equatable {
            var sharpness: Double
            var mean: Double
        }
    }

    var input: String
    var inputBase64: String?
    var output: String?
    var kind: String
    var verdict: String
    var reasons: [Reason]
    var warnings: [Reason]
    var format: String?
    var inputBytes: Int?
    var outputBytes: Int?
    var sha256: String?
    var elapsedMs: Double
    var image: Image?
    var upload: Upload?

    /// The lines of a manifest, sorted by their inputs, because their order in the file is not significant.
    static func parseManifest(_ manifest: String) throws -> [ManifestLineFixture] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let lines = try manifest.split(separator: "\n").map {
            try decoder.decode(ManifestLineFixture.self, from: Data($0.utf8))
        }
        return lines.sorted { $0.input.utf8.lexicographicallyPrecedes($1.input.utf8) }
    }

    /// The verdict with the codes of the reasons.
    var verdictAndReasonCodes: String { ([verdict] + reasons.map(\.code)).joined(separator: " ") }
}

extension [ManifestLineFixture] {
    /// The outcome of each input.
    var verdictsByInput: [String: String] {
        Dictionary(uniqueKeysWithValues: map { ($0.input, $0.verdictAndReasonCodes) })
    }

    /// The outputs of the inputs that have one.
    var outputsByInput: [String: String] {
        Dictionary(uniqueKeysWithValues: compactMap { line in line.output.map { (line.input, $0) } })
    }

    /// The lines without the elapsed times, which differ between runs.
    var withoutElapsedTimes: [ManifestLineFixture] {
        map { line in
            var line = line
            line.elapsedMs = 0
            return line
        }
    }
}
