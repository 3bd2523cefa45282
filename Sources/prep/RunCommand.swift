internal import ArgumentParser
internal import Imaging
internal import MediaPrep
internal import SystemPackage

/// `prep run`: every image among the inputs becomes an upload-ready JPEG below the output directory, every recording a copy
/// without positions.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Prepare files and directories.",
        discussion: """
            A directory is searched with all below it and mirrored under the output directory; hidden files are left alone. \
            Inputs are never changed.

            Exit status: 0 every input ended well; 1 at least one was rejected or failed; 2 the run itself could not be \
            carried out; 64 wrong usage.
            """)

    @Argument(help: ArgumentHelp("Files and directories.", valueName: "input"))
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Directory for the results; made if it isn't there.", valueName: "dir"))
    var output: String

    @OptionGroup(title: "Images")
    var image: ImageArguments

    @OptionGroup(title: "Recordings")
    var audio: AudioArguments

    @Option(
        help: ArgumentHelp(
            "Directory that the paths of outputs are relative to. Default: a single directory input itself; otherwise the "
                + "one that each input is in.", valueName: "dir"))
    var base: String?

    @Option(
        help: ArgumentHelp(
            "Take only the inputs of part I of N, with I from 0: those whose path hashes to I modulo N.",
            valueName: "i/n"))
    var shard: Shard?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Files at a time. Default: the processors available.", valueName: "n"))
    var jobs: Int?

    @Option(help: ArgumentHelp("Where the JSON Lines report goes, - for standard output.", valueName: "file|-"))
    var manifest: String?

    @Flag(name: [.short, .long], help: "Print no messages, summary or progress.")
    var quiet = false

    @Option(help: "Show a progress bar; auto means on a terminal.")
    var progress = ProgressMode.auto

    func validate() throws {
        if inputs.isEmpty { throw ValidationError("Name at least one file or directory.") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs must be 1 to 1024, not \(jobs).") }
    }

    func run() async throws {
        let status: ExitStatus
        do {
            try checkInstructionSet()
            status = try await makeBatch().run()
        } catch let error as RunError {
            Terminal.printError("prep: \(error.message)")
            status = .runFailed
        }
        if status != .success { throw ExitCode(status.rawValue) }
    }

    private func makeBatch() throws(RunError) -> Batch {
        var recordingOptions = try audio.options()
        recordingOptions.allowsTruncated = image.allowTruncated
        let directory = try OutputDirectory(FilePath(output))
        let discovery = try Discovery(inputs.map { FilePath($0) }, base: base.map { FilePath($0) }, except: directory)
        let manifestPath = manifest.map { FilePath($0) } ?? directory.path.appending("manifest.jsonl")
        let spared = Set(discovery.inputs.compactMap(\.identity))
        if manifestPath != "-", let existing = FileIdentity(manifestPath), spared.contains(existing) {
            throw RunError("the manifest \(manifestPath) would replace an input")
        }
        let inputs = discovery.inputs.filter { shard?.contains($0) ?? true }
        let report = Reporter(
            manifest: try ManifestWriter(manifestPath), isQuiet: quiet,
            showsProgress: !quiet && progress.isShown, total: inputs.count)
        let preparation = InputPreparation(
            images: ImagePreparer(image.options), recordings: AudioPreparer(recordingOptions), directory: directory,
            spared: spared)
        return Batch(
            inputs: inputs, preparation: preparation, jobs: jobs ?? AvailableProcessors.count, reporter: report)
    }

    /// Asking for instructions that can't be had is a mistake worth telling, not one to pass over.
    private func checkInstructionSet() throws(RunError) {
        guard let name = InstructionSet.requested else { return }
        if InstructionSet(rawValue: name)?.isAvailable != true {
            let available = InstructionSet.allCases.filter(\.isAvailable).map(\.rawValue).joined(separator: ", ")
            throw RunError("PREP_SIMD asks for \(name); this build on this machine has \(available)")
        }
    }
}

/// What the process tells its caller.
enum ExitStatus: Int32 {
    case success = 0
    case someNotPrepared = 1
    case runFailed = 2
}

/// Why the run as a whole could not be carried out.
struct RunError: Error {
    var message: String
    init(_ message: String) { self.message = message }
}

/// One part of a batch that is spread over several runs.
struct Shard: ExpressibleByArgument {
    private let index: UInt64
    private let count: UInt64

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], index < count else { return nil }
        self.index = index
        self.count = count
    }

    /// By the relative path's bytes alone, so that every machine comes to the same division. FNV-1a, 64 bits.
    func contains(_ input: Input) -> Bool {
        let hash = input.relativePath.bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash % count == index
    }
}
