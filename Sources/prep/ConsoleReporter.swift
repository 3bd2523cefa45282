internal import Batch
internal import BatchUpload
internal import Diagnostics
internal import HTTPCalls
internal import MediaPrep
internal import Synchronization
internal import SystemPackage
internal import Uploading

/// Prints the events of a run on standard error: messages, progress and the summary.
final class ConsoleReporter: Sendable {
    fileprivate struct State {
        var progressDisplay: ProgressDisplay?
        var unfollowedLinkCount = 0
    }

    private let state = Mutex(State())
    private let isQuiet: Bool
    private let progressMode: ProgressMode

    init(_ arguments: MessageArguments) {
        isQuiet = arguments.quiet
        progressMode = arguments.effectiveProgressMode
    }

    /// Reports an event of a run that only prepares files.
    func report(_ event: BatchEvent) {
        if case .ended(let summary) = event { return finish(summary, uploads: nil) }
        state.withLock { $0.report(event, isQuiet: isQuiet, progressMode: progressMode) }
    }

    /// Reports an event of a run that uploads files.
    func report(_ event: UploadEvent) {
        switch event {
        case .preparation(let event): report(event)
        case .finished(let name, let result, let preparedBytes):
            state.withLock { state in
                if !isQuiet, let error = result.error {
                    state.progressDisplay?.clearLine()
                    let status = result.status.rawValue
                    // The code of an upload that is `outcome-unknown` has the same name.
                    let code = error.code.rawValue == status ? "" : " (\(error.code))"
                    Terminal.printError("prep: \(name): \(status)\(code): \(error.message)")
                }
                // The total has only the inputs that this run prepares.
                if let preparedBytes { state.progressDisplay?.countInput(bytes: preparedBytes) }
            }
        case .unreadableLedger(let message):
            if isQuiet { return }
            Terminal.printError(
                "prep: warning: files that an earlier version prepared differently may be sent again: \(message)")
        case .ended(let summary, let uploads): finish(summary, uploads: uploads)
        }
    }

    private func finish(_ summary: BatchSummary, uploads: UploadSummary?) {
        state.withLock { state in
            state.progressDisplay?.clearLine()
        }
        if !isQuiet { Terminal.printError(SummaryText.lines(for: summary, uploads: uploads)) }
    }
}

extension ConsoleReporter.State {
    fileprivate mutating func report(_ event: BatchEvent, isQuiet: Bool, progressMode: ProgressMode) {
        switch event {
        case .unfollowedLink(let path):
            unfollowedLinkCount += 1
            if isQuiet { return }
            let name = String(decoding: path.bytes, as: UTF8.self)
            Terminal.printError("prep: \(name): link to a directory not followed; --follow follows it")
        case .inputsFound: printUnfollowedLinkCount(isQuiet: isQuiet)
        case .started(let progress): progressDisplay = progressMode.makeDisplay(for: progress)
        case .finished(let line):
            if !isQuiet, line.verdict == .rejected || line.verdict == .failed {
                progressDisplay?.clearLine()
                Terminal.printError(line.reasonMessages)
            }
            progressDisplay?.countInput(bytes: line.inputBytes ?? 0)
        case .ended: break
        }
    }

    /// With `--quiet`, links that are not followed are only counted.
    fileprivate mutating func printUnfollowedLinkCount(isQuiet: Bool) {
        let count = unfollowedLinkCount
        unfollowedLinkCount = 0
        guard isQuiet, count > 0 else { return }
        let links = count == 1 ? "1 link to a directory" : "\(count) links to directories"
        Terminal.printError("prep: \(links) not followed; --follow follows \(count == 1 ? "it" : "them")")
    }
}

extension ManifestLine {
    /// A message for each reason.
    var reasonMessages: [String] {
        reasons.map { reason in
            let place = reason.offset.map { " at byte \($0)" } ?? ""
            let verdict = verdict.map { "\($0)" } ?? ""
            return "prep: \(input): \(verdict) (\(reason.code))\(place): \(reason.message)"
        }
    }
}
