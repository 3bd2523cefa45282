internal import ArgumentParser
internal import MediaPrep

/// When progress is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    /// How progress is shown; nil for not at all.
    ///
    /// - Parameter progress: where the run begins.
    func makeDisplay(for progress: MediaProgress) -> ProgressDisplay? {
        switch self {
        case .auto: ProgressDisplay(progress: progress, style: Terminal.isStandardErrorInteractive ? .bar : .lines)
        case .always: ProgressDisplay(progress: progress, style: .bar)
        case .never: nil
        }
    }
}

/// How far the work is, on standard error: a line that is drawn over itself, or where no terminal is one now and then.
struct ProgressDisplay: Sendable {
    enum Style { case bar, lines }

    private static let barWidth = 30

    private var progress: MediaProgress
    private let style: Style
    /// When it was last drawn, or when the work began.
    private var lastDrawTime = ContinuousClock.now
    private var isOnScreen = false

    init(progress: MediaProgress, style: Style) {
        self.progress = progress
        self.style = style
    }

    /// A bar follows the eye, at ten times a second; lines are for logs.
    private var drawInterval: Duration { style == .bar ? .milliseconds(100) : .seconds(10) }

    /// Counts one more input of so many bytes.
    mutating func countInput(bytes: Int) {
        progress.recordCompletion(byteCount: bytes)
        let now = ContinuousClock.now
        let isLast = style == .bar && progress.completedFiles == progress.totalFiles
        guard isLast || now - lastDrawTime >= drawInterval else { return }
        lastDrawTime = now
        isOnScreen = true
        Terminal.writeUnescaped(
            style == .bar ? "\r" + barText + statusText(at: now) + "\u{1B}[K" : "prep: " + statusText(at: now) + "\n")
    }

    /// Leaves an empty line for something else.
    mutating func clearLine() {
        if isOnScreen, style == .bar { Terminal.writeUnescaped("\r\u{1B}[K") }
        isOnScreen = false
    }

    private var barText: String {
        let total = max(1, progress.totalFiles ?? 1)
        let filled = min(progress.completedFiles, total) * Self.barWidth / total
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barWidth - filled)
            + "] "
    }

    /// `120/400 files, 35.2 MB/s, 1 min 20 s left`
    private func statusText(at now: ContinuousClock.Instant) -> String {
        let speed = DecimalFormat.string(from: progress.throughput(at: now).bytes / 1e6, fractionDigits: 1)
        let left = progress.estimatedTimeRemaining(at: now).map { ", \(Self.durationText($0)) left" } ?? ""
        return "\(progress.completedFiles)/\(progress.totalFiles ?? 0) files, \(speed) MB/s\(left)"
    }

    private static func durationText(_ duration: Duration) -> String {
        let seconds = max(1, duration.components.seconds)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
