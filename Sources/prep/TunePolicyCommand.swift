public import ArgumentParser
internal import Batch
internal import ImageCodecs
internal import Imaging
internal import ManifestReport
public import MediaPrep
internal import SystemPackage

/// `prep tune-policy`: chooses the limits of an image policy from good examples.
struct TunePolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tune-policy",
        abstract: "Choose the limits of an image policy from good examples.",
        discussion: """
            The images are decoded and measured. Each limit is a percentile of its measure, and a margin of a tenth to \
            a third of it, more if the examples differ much. The policy is a JSON file for --image-policy. At least \
            \(ImagePolicy.minExampleCount) examples are needed; with 40 or more, the policy rejects few other good \
            images.

            The page shows the limits, the distributions of all measures, and the images that the policy would \
            reject, of the examples and of the images to --try.

            Examples:
              prep tune-policy good --output policy.json --page policy.html
              prep tune-policy good --try all --page policy.html --action reject > policy.json
              prep photos --output ready --image-policy policy.json

            Exit status: 0 the policy was written; 1 it was written, but a file could not be measured; 2 there are too \
            few examples, or a file cannot be written; 64 wrong usage; 130 and 143 interrupted.
            """)

    @Argument(help: ArgumentHelp("Good images, and directories with good images.", valueName: "example"))
    var examples: [PathArgument]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "File for the policy, or - for standard output; replaced if it exists.", valueName: "file|-"))
    var output: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Write an HTML page with the images that the policy would reject; replaced if it exists.",
            valueName: "file.html"))
    var page: PathArgument?

    @Option(
        name: .customLong("try"),
        help: ArgumentHelp(
            "Images, or a directory, that do not change the policy, but are on the page and counted; may be given "
                + "several times.",
            valueName: "input"))
    var tried: [PathArgument] = []

    @Option(
        help: ArgumentHelp("The most examples that the policy may reject, in percent, 0 to 50.", valueName: "percent"))
    var maxRejected = 2.0

    @Option(help: "What happens to an image beyond a limit.")
    var action = ImagePolicy.Action.warn

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Number of images that are decoded concurrently. Memory is not limited: each image takes that of its file "
                + "and of its decoder, such as 3 bytes a pixel for a progressive JPEG. Default: the number of "
                + "available processors.",
            valueName: "n"))
    var jobs: Int?

    @OptionGroup
    var access: OutputAccessArguments

    func validate() throws {
        if !(0...50).contains(maxRejected) {
            throw ValidationError("--max-rejected is invalid: \(maxRejected) (0 to 50).")
        }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs is invalid: \(jobs) (1 to 1024).") }
        if page?.path == "-" { throw ValidationError("--page must name a file.") }
        if let page, page.path == output?.path ?? "-" {
            throw ValidationError("--page and --output are the same file.")
        }
    }

    func run() async throws {
        defer { DecoderIsolation.endIdleWorkers() }
        try await ExitStatus.exitWithStatus {
            try InstructionSet.selectRequestedSet()
            let tuning = PolicyTuning(
                examples: examples.map(\.path), tried: tried.map(\.path), output: output?.path ?? "-",
                page: page?.path, maxRejectedShare: maxRejected / 100, action: action,
                jobs: jobs ?? AvailableProcessors.count, access: access.outputAccess)
            return try await SignalInterruption.cancellingOnSignal { interruption in
                interruption.beginCancelling()
                return try await tuning.run()
            }
        }
    }
}

extension ImagePolicy.Action: ExpressibleByArgument {}
