internal import CoreMetrics

/// The metrics of a run. Their dimensions contain no file names.
struct PipelineMetrics: Sendable {
    private struct KindAndVerdict: Hashable {
        var kind: MediaKind?
        var verdict: Verdict
    }

    private let fileCounters: [KindAndVerdict: Counter]
    private let inputByteCounter: Counter
    private let outputByteCounter: Counter
    private let preparationTimers: [MediaKind?: Timer]

    /// Creates all counters and timers in `factory`.
    init(factory: any MetricsFactory) {
        inputByteCounter = Counter(label: "mediaprep_input_bytes", factory: factory)
        outputByteCounter = Counter(label: "mediaprep_output_bytes", factory: factory)
        var files: [KindAndVerdict: Counter] = [:], durations: [MediaKind?: Timer] = [:]
        for (kind, verdicts) in Self.possibleVerdictsByKind {
            let name = ("kind", kind?.rawValue ?? "other")
            durations[kind] = Timer(label: "mediaprep_prepare_duration", dimensions: [name], factory: factory)
            for verdict in verdicts {
                files[KindAndVerdict(kind: kind, verdict: verdict)] = Counter(
                    label: "mediaprep_files", dimensions: [name, ("verdict", verdict.rawValue)], factory: factory)
            }
        }
        self.fileCounters = files
        self.preparationTimers = durations
    }

    /// The possible verdicts of each kind of input.
    private static let possibleVerdictsByKind: [(MediaKind?, [Verdict])] = [
        (.image, [.converted, .passthrough, .rejected, .failed]), (.audio, [.accepted, .cleaned, .rejected, .failed]),
        (nil, [.rejected, .failed]),
    ]

    /// Updates the metrics with one result.
    func recordResult(_ result: MediaResult) {
        fileCounters[KindAndVerdict(kind: result.kind, verdict: result.verdict)]?.increment()
        inputByteCounter.increment(by: result.inputByteCount ?? 0)
        outputByteCounter.increment(by: result.outputByteCount)
        preparationTimers[result.kind]?.recordNanoseconds(Int64(result.elapsed / .nanoseconds(1)))
    }
}
