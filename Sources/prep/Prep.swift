internal import ArgumentParser

/// The command: parses, and hands over to a subcommand.
@main
struct Prep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prep",
        abstract: "Makes photographs and recordings ready for upload: upright, small, private, of known duration.",
        discussion: "Without a subcommand, `run` is meant: `prep photos --output ready`.",
        version: "0.1.0",
        subcommands: [RunCommand.self, InspectCommand.self, ReportCommand.self],
        defaultSubcommand: RunCommand.self)
}
