internal import CoreMetrics

/// What a run counts. There are no names of files in it.
struct PipelineMetrics: Sendable {
    private struct Ending: Hashable {
        var kind: MediaResult.Kind?
        var verdict: MediaResult.Verdict
    }

    private let files: [Ending: Counter]
    private let inputBytes: Counter
    private let outputBytes: Counter
    private let durations: [MediaResult.Kind?: Timer]

    /// Looks all of them up in `factory`, once.
    init(_ factory: any MetricsFactory) {
        inputBytes = Counter(label: "mediaprep_input_bytes", factory: factory)
        outputBytes = Counter(label: "mediaprep_output_bytes", factory: factory)
        var files: [Ending: Counter] = [:], durations: [MediaResult.Kind?: Timer] = [:]
        for (kind, verdicts) in Self.verdicts {
            let name = ("kind", kind?.rawValue ?? "other")
            durations[kind] = Timer(label: "mediaprep_prepare_duration", dimensions: [name], factory: factory)
            for verdict in verdicts {
                files[Ending(kind: kind, verdict: verdict)] = Counter(
                    label: "mediaprep_files", dimensions: [name, ("verdict", verdict.rawValue)], factory: factory)
            }
        }
        self.files = files
        self.durations = durations
    }

    /// How inputs of each kind can end.
    private static let verdicts: [(MediaResult.Kind?, [MediaResult.Verdict])] = [
        (.image, [.converted, .passthrough, .rejected, .failed]), (.audio, [.accepted, .cleaned, .rejected, .failed]),
        (nil, [.rejected, .failed]),
    ]

    /// Counts one result.
    func record(_ result: MediaResult) {
        files[Ending(kind: result.kind, verdict: result.verdict)]?.increment()
        inputBytes.increment(by: result.byteCount ?? 0)
        outputBytes.increment(by: result.outputBytes)
        durations[result.kind]?.recordNanoseconds(Int64(result.elapsed / .nanoseconds(1)))
    }
}
