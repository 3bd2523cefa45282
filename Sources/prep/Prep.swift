internal import ArgumentParser

/// The command: parses, and hands over to a subcommand.
@main
struct Prep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prep",
        abstract: "Makes photographs and recordings ready for upload: upright, small, private, of known duration.",
        discussion: """
            Without a subcommand, `run` is meant: `prep photos --output ready`.

            For completions in bash, zsh or fish: `prep --generate-completion-script bash`, and see its manual for where to put it.
            """,
        version: "0.1.0",
        subcommands: [RunCommand.self, InspectCommand.self, UploadCommand.self, MergeCommand.self, ReportCommand.self],
        defaultSubcommand: RunCommand.self)

    static func main() async {
        Allocator.configure()
        StandardStreams.secure()
        await main(RawArguments.all)
    }
}
