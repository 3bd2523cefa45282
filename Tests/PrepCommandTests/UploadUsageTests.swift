import Foundation
import Testing

@Suite("prep upload: options, messages and exit statuses", .serialized)
struct UploadUsageTests {
    /// A URL without a server: a run that tries to send fails with another error than expected.
    private static let unreachableURL = "http://127.0.0.1:9/upload"
    private static let symptomSentryArguments = ["--to", "symptom-sentry", "--base-url", unreachableURL]
    private static let petVisitsArguments = ["--to", "pet-visits", "--base-url", unreachableURL]
    private static let ksrCranesArguments = ["--to", "ksr-cranes", "--base-url", unreachableURL]

    static let invalidArguments: [[String]] = [
        ["in"], ["in", "--to", "nonsense"], ["in", "--to", ""], ["--to", unreachableURL],
        ["in", "--to", unreachableURL, "--from-manifest", "in/a.jpg"],
        ["--from-manifest", "in/a.jpg", "--to", unreachableURL, "--shard", "1/2"],
        ["--from-manifest", "in/a.jpg", "--to", unreachableURL, "--base", "in"],
        ["in", "--to", unreachableURL, "--base-url", unreachableURL],
        ["in", "--to", "symptom-sentry", "--type", "ear"],
        ["in"] + symptomSentryArguments, ["in"] + symptomSentryArguments + ["--type", "nose"],
        ["in"] + symptomSentryArguments + ["--type", "ear", "--field", "a=b"],
        ["in"] + symptomSentryArguments + ["--type", "ear", "--part", "a"],
        ["in"] + symptomSentryArguments + ["--type", "ear", "--pet", "a"],
        ["in"] + petVisitsArguments, ["in"] + petVisitsArguments + ["--appointment", "A"],
        ["in"] + petVisitsArguments + ["--pet", "P"],
        ["in"] + petVisitsArguments + ["--appointment", "A", "--pet", "P", "--pets", "in/a.jpg"],
        ["in"] + petVisitsArguments + ["--appointment", "A", "--pet", "P", "--type", "ear"],
        ["in"] + ksrCranesArguments, ["in"] + ksrCranesArguments + ["--type", "ear"],
        ["in"] + ksrCranesArguments + ["--type", "signature", "--field", "a=b"],
        ["in", "--to", unreachableURL, "--type", "ear"], ["in", "--to", unreachableURL, "--appointment", "A"],
        ["in", "--to", unreachableURL, "--pet", "P"],
        ["in", "--to", unreachableURL, "--field", "a"], ["in", "--to", unreachableURL, "--field", "=a"],
        ["in", "--to", unreachableURL, "--uploads", "0"], ["in", "--to", unreachableURL, "--uploads", "65"],
        ["in", "--to", unreachableURL, "--max-attempts", "0"], ["in", "--to", unreachableURL, "--timeout", "0"],
        ["in", "--to", unreachableURL, "--timeout", "nan"], ["in", "--to", unreachableURL, "--timeout", "86401"],
        ["in", "--to", unreachableURL, "--upload-timeout", "0"], ["in", "--to", unreachableURL, "--jobs", "0"],
        ["in", "--to", unreachableURL, "--log-level", "loud"], ["in", "--to", unreachableURL, "--token", "secret"],
    ]

    @Test(
        "Invalid usage has status 64 and a message on standard error, and changes nothing", arguments: invalidArguments)
    func usageErrorsExitWith64(_ arguments: [String]) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        let run = try await workspace.runUpload(arguments)
        #expect(run.exitStatus == 64)
        #expect(run.standardError.hasPrefix("Error: "))
        #expect(run.standardOutput == "")
        #expect(try workspace.entryNames(in: "") == ["in"])
    }

    /// A run that cannot start, and its message.
    struct Failure: CustomTestStringConvertible, Sendable {
        var arguments: [String]
        var environment: [String: String?] = [:]
        var message: String
        var testDescription: String { message }

        init(_ arguments: [String], environment: [String: String?] = [:], _ message: String) {
            self.arguments = arguments
            self.environment = environment
            self.message = message
        }
    }

    static let failures: [Failure] = [
        Failure(
            ["--to", "http://192.0.2.1/upload"],
            "the URL of --to can't be used (insecure-url): 192.0.2.1 is another machine"),
        Failure(
            ["--to", "ksr-cranes", "--type", "signature", "--base-url", "http://example.com"],
            "the URL of --base-url can't be used (insecure-url): example.com is another machine"),
        Failure(["--to", "ftp://127.0.0.1/upload"], "the URL of --to can't be used (invalid-url): "),
        Failure(["--to", "https://user:SECRET@127.0.0.1/"], "the URL of --to can't be used (invalid-url): "),
        Failure(["--to", unreachableURL, "--token-file", "none"], "the token file none can't be read: "),
        Failure(["--to", unreachableURL, "--token-file", "spaces"], "spaces does not contain a token: "),
        Failure(["--to", unreachableURL, "--token-file", "empty"], "empty does not contain a token: "),
        Failure(["--to", unreachableURL], environment: ["PREP_TOKEN": "SECRET SECRET"], "PREP_TOKEN is not a token: "),
        Failure(["--to", unreachableURL, "--cacert", "none"], "the file of certificate authorities"),
        Failure(["--to", unreachableURL, "--output", "spaces"], "the directory spaces"),
        Failure(["--to", unreachableURL, "--responses", "spaces"], "the directory spaces can't be created: "),
        Failure(
            ["--to", unreachableURL], environment: ["XDG_STATE_HOME": nil, "HOME": nil],
            "no home directory was found for the record"),
        Failure(
            ["--to", unreachableURL], environment: ["XDG_STATE_HOME": "relative", "HOME": ""],
            "no home directory was found for the record"),
        Failure(petVisitsArguments + ["--pets", "none"], "none can't be read: "),
        Failure(
            petVisitsArguments + ["--pets", "open.csv"], "line 2 of open.csv has an unclosed quotation mark"),
        Failure(
            petVisitsArguments + ["--pets", "one.csv"], "line 1 of one.csv does not consist of a file and a pet ID"),
        Failure(
            petVisitsArguments + ["--pets", "four.csv"], "line 2 of four.csv does not consist of a file and a pet ID"),
        Failure(petVisitsArguments + ["--pets", "twice.csv"], "line 3 of twice.csv names in/./a.wav a second time"),
    ]

    @Test("A run that cannot start has status 2, and its message contains no secret", arguments: failures)
    func failedRunExitsWith2WithoutSecrets(_ failure: Failure) async throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg")
        let texts = [
            "spaces": "SECRET SECRET\n", "empty": " \n", "open.csv": "file,pet_id\n\"in/a.wav,Pet1\n",
            "one.csv": "in/a.wav\n", "four.csv": "file,pet_id\nin/a.wav,P,A,B\n",
            "twice.csv": "file,pet_id\nin/a.wav,P\nin/./a.wav,Q\n",
        ]
        for (name, text) in texts { try workspace.writeFile(Data(text.utf8), at: name) }
        let appointment = failure.arguments.contains("--pets") ? ["--appointment", "A"] : []
        let run = try await workspace.runUpload(
            ["in"] + failure.arguments + appointment, environment: failure.environment)
        #expect(run.exitStatus == 2)
        #expect(run.standardError.hasPrefix("prep: \(failure.message)"), "\(run.standardError)")
        #expect(!run.standardError.contains("SECRET"))
        #expect(run.standardOutput == "")
        #expect(workspace.filePaths(below: "state").filter { $0.hasSuffix(".jpg") } == [])
    }

    @Test(
        "An invalid URL is not repeated, because it may contain a secret",
        arguments: [
            ["--type", "throat"], ["--appointment", "A"], ["--pet", "P"], ["--pets", "pets.csv"],
            ["--base-url", "https://user:SECRET@127.0.0.1/"], ["--log-level", "loud"],
        ])
    func misusedURLIsNotRepeated(_ arguments: [String]) async throws {
        let workspace = try TestWorkspace()
        for url in ["https://user:SECRET@127.0.0.1/", "https://127.0.0.1/?key=SECRET"] {
            let run = try await workspace.runUpload(["in", "--to", url] + arguments)
            #expect(run.exitStatus == 64)
            #expect(!(run.standardError + run.standardOutput).contains("SECRET"), "\(run.standardError)")
        }
    }

    @Test("Help lists the options, and documents where the token is read from")
    func helpNamesOptionsAndTokenSources() async throws {
        let workspace = try TestWorkspace()
        let help = try await workspace.runUpload(["--help"])
        #expect(help.exitStatus == 0)
        for option in [
            "--to", "--base-url", "--type", "--pets", "--field", "--token-file", "--retry-unknown", "PREP_TOKEN",
        ] {
            #expect(help.standardOutput.contains(option))
        }
    }
}
