internal import ArgumentParser
internal import Batch
internal import ImageCodecs
internal import Imaging
internal import MediaPrep
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// `prep inspect`: describes files without preparing them.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the properties of images and audio, and the duration of audio.",
        discussion: """
            Nothing is written. The frames of audio are counted where its header could be wrong. For audio, the \
            verdict is the one that `run` would give. An image has one only if it is measured.

            Examples:
              prep inspect note.m4a photo.jpg
              prep inspect --measures --image-policy throat photo.jpg
              prep inspect --levels --json recordings/* > facts.jsonl

            Exit status: 0 every file is a readable image or audio; 1 at least one is not; 2 a policy cannot \
            be used, or the result cannot be written; 64 wrong usage.
            """)

    @Argument(help: ArgumentHelp("Images and audio files.", valueName: "file"))
    var files: [PathArgument]

    @Flag(help: "Print JSON Lines, one object for each file in order, with the manifest's keys.")
    var json = false

    @Flag(help: "Use headers instead of counting frames, and mark the duration as an estimate.")
    var quick = false

    @Flag(help: "Decode audio with libsndfile where it can, and measure levels, clipping, silence and noise.")
    var levels = false

    @Flag(help: "Decode with libsndfile where it can, and compare the duration.")
    var verify = false

    @Flag(help: "Decode images and measure sharpness, exposure, noise and glare. --image-policy implies it.")
    var measures = false

    @OptionGroup(title: "Images")
    var imagePolicy: ImagePolicyArguments

    @OptionGroup(title: "Audio")
    var audio: AudioArguments

    func validate() throws { try imagePolicy.validateStrict(hasOtherPolicy: audio.audioPolicy != nil) }

    func run() async throws {
        defer { DecoderIsolation.endIdleWorkers() }
        try await ExitStatus.exitWithStatus { try await inspectFiles() }
    }

    private func inspectFiles() async throws -> ExitStatus {
        try InstructionSet.selectRequestedSet()
        var images = ImageOptions(maxDimension: nil)
        images.policy = try imagePolicy.makePolicy()
        images.isolation = IsolationMode.auto.decoderIsolation
        let inspection = MediaInspector(
            imagePreparer: ImagePreparer(images), audioPreparer: AudioPreparer(try makeAudioOptions()),
            measuresImages: measures || images.policy != ImagePolicy())
        // Files are read one at a time on a separate thread, because reading blocks.
        let threads = BlockingThreadPool(threadCount: 1)
        var table = InspectionTable()
        var isAllRead = true
        for file in files {
            let line = await threads.run { inspection.manifestLine(forFileAt: file.path) }
            isAllRead = isAllRead && (line.image != nil || line.audio != nil)
            if json { try Terminal.writeToStandardOutput(line.jsonLine()) } else { table.appendRow(for: line) }
        }
        if !json { try Terminal.print(table.formattedLines) }
        return isAllRead ? .success : .someInputsFailed
    }

    private func makeAudioOptions() throws(BatchError) -> AudioOptions {
        var options = try audio.makeAudioOptions(isStrict: imagePolicy.strict)
        options.isQuick = quick
        options.measuresLevels = levels
        options.verifiesDuration = verify
        return options
    }
}
