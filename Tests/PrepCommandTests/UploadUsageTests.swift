import Foundation
import Testing

@Suite("prep upload: options, messages and exit statuses", .serialized)
struct UploadUsageTests {
    /// Nobody listens there: what gets so far as to send fails otherwise than expected.
    private static let url = "http://127.0.0.1:9/upload"
    private static let sentry = ["--to", "symptom-sentry", "--base-url", url]
    private static let visits = ["--to", "pet-visits", "--base-url", url]
    private static let cranes = ["--to", "ksr-cranes", "--base-url", url]

    static let wrong: [[String]] = [
        ["in"], ["in", "--to", "nonsense"], ["in", "--to", ""], ["--to", url],
        ["in", "--to", url, "--from-manifest", "in/a.jpg"],
        ["--from-manifest", "in/a.jpg", "--to", url, "--shard", "1/2"],
        ["--from-manifest", "in/a.jpg", "--to", url, "--base", "in"],
        ["in", "--to", url, "--base-url", url], ["in", "--to", "symptom-sentry", "--type", "ear"],
        ["in"] + sentry, ["in"] + sentry + ["--type", "nose"], ["in"] + sentry + ["--type", "ear", "--field", "a=b"],
        ["in"] + sentry + ["--type", "ear", "--part", "a"], ["in"] + sentry + ["--type", "ear", "--pet", "a"],
        ["in"] + visits, ["in"] + visits + ["--appointment", "A"], ["in"] + visits + ["--pet", "P"],
        ["in"] + visits + ["--appointment", "A", "--pet", "P", "--pets", "in/a.jpg"],
        ["in"] + visits + ["--appointment", "A", "--pet", "P", "--type", "ear"],
        ["in"] + cranes, ["in"] + cranes + ["--type", "ear"],
        ["in"] + cranes + ["--type", "signature", "--field", "a=b"],
        ["in", "--to", url, "--type", "ear"], ["in", "--to", url, "--appointment", "A"],
        ["in", "--to", url, "--pet", "P"],
        ["in", "--to", url, "--field", "a"], ["in", "--to", url, "--field", "=a"],
        ["in", "--to", url, "--uploads", "0"], ["in", "--to", url, "--uploads", "65"],
        ["in", "--to", url, "--max-attempts", "0"], ["in", "--to", url, "--timeout", "0"],
        ["in", "--to", url, "--timeout", "nan"], ["in", "--to", url, "--timeout", "86401"],
        ["in", "--to", url, "--upload-timeout", "0"], ["in", "--to", url, "--jobs", "0"],
        ["in", "--to", url, "--log-level", "loud"], ["in", "--to", url, "--token", "secret"],
    ]

    @Test("Wrong usage is told on standard error with status 64, and nothing is done", arguments: wrong)
    func wrongUsage(_ arguments: [String]) async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        let run = try await workspace.upload(arguments)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: "))
        #expect(run.output == "")
        #expect(try workspace.names(in: "") == ["in"])
    }

    /// A run that can't be carried out, and what is said of it.
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
        Failure(["--to", url, "--token-file", "none"], "the token file none can't be read: "),
        Failure(["--to", url, "--token-file", "spaces"], "spaces holds no token: "),
        Failure(["--to", url, "--token-file", "empty"], "empty holds no token: "),
        Failure(["--to", url], environment: ["PREP_TOKEN": "SECRET SECRET"], "PREP_TOKEN is no token: "),
        Failure(["--to", url, "--cacert", "none"], "the file of certificate authorities"),
        Failure(["--to", url, "--output", "spaces"], "the directory spaces"),
        Failure(["--to", url, "--responses", "spaces"], "the directory spaces can't be made: "),
        Failure(
            ["--to", url], environment: ["XDG_STATE_HOME": nil, "HOME": nil],
            "there is no home directory for the record"),
        Failure(
            ["--to", url], environment: ["XDG_STATE_HOME": "relative", "HOME": ""],
            "there is no home directory for the record"),
        Failure(visits + ["--pets", "none"], "none can't be read: "),
        Failure(visits + ["--pets", "open.csv"], "line 2 of open.csv has a quotation mark without its second"),
        Failure(visits + ["--pets", "one.csv"], "line 1 of one.csv is not a file and a pet's id"),
        Failure(visits + ["--pets", "four.csv"], "line 2 of four.csv is not a file and a pet's id"),
        Failure(visits + ["--pets", "twice.csv"], "line 3 of twice.csv names in/./a.wav a second time"),
    ]

    @Test("What can't be carried out is told with status 2, without what is secret of it", arguments: failures)
    func cannotRun(_ failure: Failure) async throws {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg")
        let texts = [
            "spaces": "SECRET SECRET\n", "empty": " \n", "open.csv": "file,pet_id\n\"in/a.wav,Pet1\n",
            "one.csv": "in/a.wav\n", "four.csv": "file,pet_id\nin/a.wav,P,A,B\n",
            "twice.csv": "file,pet_id\nin/a.wav,P\nin/./a.wav,Q\n",
        ]
        for (name, text) in texts { try workspace.write(Data(text.utf8), name) }
        let appointment = failure.arguments.contains("--pets") ? ["--appointment", "A"] : []
        let run = try await workspace.upload(
            ["in"] + failure.arguments + appointment, environment: failure.environment)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("prep: \(failure.message)"), "\(run.errors)")
        #expect(!run.errors.contains("SECRET"))
        #expect(run.output == "")
        #expect(workspace.files(below: "state").filter { $0.hasSuffix(".jpg") } == [])
    }

    @Test(
        "A URL that is used wrongly is not repeated: it may hold a secret",
        arguments: [
            ["--type", "throat"], ["--appointment", "A"], ["--pet", "P"], ["--pets", "pets.csv"],
            ["--base-url", "https://user:SECRET@127.0.0.1/"], ["--log-level", "loud"],
        ])
    func secretURL(_ arguments: [String]) async throws {
        let workspace = try Workspace()
        for url in ["https://user:SECRET@127.0.0.1/", "https://127.0.0.1/?key=SECRET"] {
            let run = try await workspace.upload(["in", "--to", url] + arguments)
            #expect(run.status == 64)
            #expect(!(run.errors + run.output).contains("SECRET"), "\(run.errors)")
        }
    }

    @Test("Help names the options, and says where the token stands")
    func help() async throws {
        let workspace = try Workspace()
        let help = try await workspace.upload(["--help"])
        #expect(help.status == 0)
        for option in [
            "--to", "--base-url", "--type", "--pets", "--field", "--token-file", "--retry-unknown", "PREP_TOKEN",
        ] {
            #expect(help.output.contains(option))
        }
    }
}
