internal import ArgumentParser
internal import ImageCodecs

/// The root command. It parses the arguments and runs a subcommand.
@main
struct PrepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prep",
        abstract: "Prepare images and audio for upload: upright, small, private, of known duration.",
        discussion: """
            `run` is the default subcommand: `prep photos --output ready`.

            Completions for bash, zsh or fish: `prep --generate-completion-script bash`. The manual of the shell says \
            where to install them.
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, InspectCommand.self, UploadCommand.self, MergeCommand.self, ReportCommand.self,
            TunePolicyCommand.self,
        ],
        defaultSubcommand: RunCommand.self)

    /// The argument of a process that decodes images for another `prep`; see `DecoderIsolation`.
    static let workerArgument = "decode-worker"

    static func main() async {
        if CommandLine.arguments.dropFirst() == [workerArgument] {
            SystemAllocator.limitRetainedMemory(toByteCount: SystemAllocator.workerByteCount)
            DecoderWorker.run()
        }
        SystemAllocator.limitRetainedMemory(toByteCount: SystemAllocator.pipelineByteCount)
        StandardStreams.reopenClosedAndIgnoreBrokenPipes()
        let arguments = LosslessArguments.all
        do {
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            await printErrorAndExit(error, arguments: arguments)
        }
    }

    /// Exits as `exit(withError:)` does, but prints messages through `Terminal`, because they may repeat arguments.
    private static func printErrorAndExit(_ error: any Error, arguments: [String]) async -> Never {
        let status = exitCode(for: error)
        if status == .success { exit(withError: error) }
        var message = fullMessage(for: error)
        let marked = arguments.map(LosslessArguments.escapingLineEnds)
        // Parsing escaped arguments distinguishes line feeds in arguments from those of the message.
        if marked != arguments {
            do { _ = try await asyncParseAsRoot(marked) } catch { message = fullMessage(for: error) }
        }
        if !message.isEmpty { Terminal.printError(LosslessArguments.decodedLines(ofMessage: message)) }
        exit(withError: status)
    }
}
