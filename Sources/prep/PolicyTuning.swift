internal import Batch
internal import ImageCodecs
internal import ManifestReport
internal import MediaPrep
internal import SystemPackage
internal import SystemSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Measures good examples, and writes a policy that accepts them.
struct PolicyTuning: Sendable {
    var examples: [FilePath]
    /// Images that the policy is only tried on.
    var tried: [FilePath]
    /// The file for the policy, or `-`.
    var output: FilePath
    /// The file for the page, or `nil` for none.
    var page: FilePath?
    var maxRejectedShare: Double
    var action: ImagePolicy.Action
    var jobs: Int
    var access: OutputAccess

    /// Writes the policy and the page, and prints what the policy rejects.
    ///
    /// - Throws: `BatchError` if there are too few examples, or a file cannot be written; `CancellationError`.
    func run() async throws -> ExitStatus {
        let (exampleSurvey, triedSurvey) = try await BlockingThreadPool(threadCount: 1).run { () throws in
            (try survey(examples), try survey(tried))
        }
        let isolation = IsolationMode.auto.decoderIsolation
        let preparer = makePreparer(isolation: isolation)
        let exampleFiles = try await exampleSurvey.measureFiles(using: preparer, jobs: jobs)
        let triedFiles = try await triedSurvey.measureFiles(using: preparer, jobs: jobs)
        let unmeasured = (exampleFiles + triedFiles).filter(\.isUnexpectedlyUnmeasured)
        Terminal.printError(unmeasured.flatMap(\.line.reasonMessages))

        let policy = try makePolicy(from: exampleFiles)
        let strict = policy.settingAction(.reject)
        let exampleLines = exampleFiles.map { $0.line(judgedBy: strict) }
        let triedLines = triedFiles.map { $0.line(judgedBy: strict) }
        if let page {
            let report = PolicyReport(
                policy: policy, lines: exampleLines + triedLines, access: access, isolation: isolation)
            try await report.write(to: page)
            if output != "-", FileIdentity(output) == FileIdentity(page) {
                throw BatchError(.wouldOverwrite, message: "the policy \(output) would replace the page")
            }
        }
        try await BlockingThreadPool(threadCount: 1).run { () throws in try write(policy) }
        Terminal.printError(Self.summary(of: exampleLines, name: "example"))
        if !tried.isEmpty { Terminal.printError(Self.summary(of: triedLines, name: "other image")) }
        return unmeasured.isEmpty ? .success : .someInputsFailed
    }

    /// Finds the files of a survey, which the policy and the page must not replace.
    private func survey(_ paths: [FilePath]) throws -> ImageSurvey {
        let survey = try ImageSurvey(paths: paths) { link in
            Terminal.printError("prep: \(link): link to a directory not followed")
        }
        try survey.checkIsNotReplaced(by: output, role: "policy")
        if let page { try survey.checkIsNotReplaced(by: page, role: "page") }
        return survey
    }

    private func makePreparer(isolation: DecoderIsolation?) -> ImagePreparer {
        var options = ImageOptions(maxDimension: nil)
        options.isolation = isolation
        return ImagePreparer(options)
    }

    private func makePolicy(from files: [ImageSurvey.File]) throws(BatchError) -> ImagePolicy {
        let measures = files.compactMap { $0.assessment?.measures }
        if let policy = ImagePolicy(
            acceptingExamples: measures, maxRejectedShare: maxRejectedShare, action: action)
        {
            return policy
        }
        throw BatchError(
            .invalidInput,
            message: "there are too few examples that can be measured: \(measures.count) "
                + "(at least \(ImagePolicy.minExampleCount), to show how much good images differ)")
    }

    private func write(_ policy: ImagePolicy) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let json = try encoder.encode(policy) + [UInt8(ascii: "\n")]
        let file = try AtomicFile(path: output, access: access)
        try file.write(Array(json))
        try file.moveIntoPlace()
    }

    /// Returns a sentence on the images that were measured.
    private static func summary(of lines: [ManifestLine], name: String) -> String {
        let measured = lines.filter { $0.image?.measures != nil }
        let rejected = measured.count { $0.verdict == .rejected }
        return "prep: the policy rejects \(rejected) of \(measured.count) \(name)\(measured.count == 1 ? "" : "s")"
    }
}

extension ImageSurvey.File {
    /// Whether the file should have been an image, and is not one that can be decoded.
    fileprivate var isUnexpectedlyUnmeasured: Bool { assessment == nil && line.verdict != .skipped }
}
