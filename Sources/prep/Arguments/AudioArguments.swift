internal import ArgumentParser
internal import Batch
internal import MediaPrep
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The options that determine which audio files are accepted. They mean the same in every subcommand.
struct AudioArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "JSON file with any of the rules containers, codecs, min_seconds, max_seconds, sample_rates, channels, "
                + "max_bytes, rejects_silence, allows_video. Video is rejected unless allows_video is true.",
            valueName: "file"))
    var audioPolicy: PathArgument?

    /// Returns the options for the library.
    ///
    /// - Throws: `BatchError` if the policy cannot be read or is invalid.
    func makeAudioOptions() throws(BatchError) -> AudioOptions {
        var options = AudioOptions()
        guard let audioPolicy = audioPolicy?.path else { return options }
        do {
            var file = try SourceFile(path: audioPolicy.bytes)
            let json = Data(try file.readContents(limit: 1 << 20))
            options.policy = try JSONDecoder().decode(AudioPolicy.self, from: json)
        } catch let error as DecodingError {
            throw BatchError(
                .invalidOption, message: "the policy \(audioPolicy) is invalid: \(Self.message(for: error))")
        } catch let error as MediaError {
            throw BatchError(.unreadable, message: "the policy \(audioPolicy) can't be read: \(error.message)")
        } catch {
            throw BatchError(.unreadable, message: "the policy \(audioPolicy) can't be read: \(error)", cause: error)
        }
        return options
    }

    private static func message(for error: DecodingError) -> String {
        switch error {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
        @unknown default: return "\(error)"
        }
    }
}
