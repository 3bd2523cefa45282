internal import ArgumentParser
internal import Batch
internal import MediaPrep

/// The mode in which progress is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never

    /// Returns a display for this mode, or `nil` if no progress is shown.
    ///
    /// - Parameter progress: The progress at the start of the run.
    func makeDisplay(for progress: MediaProgress) -> ProgressDisplay? {
        switch self {
        case .auto: ProgressDisplay(progress: progress, style: Terminal.isStandardErrorInteractive ? .bar : .lines)
        case .always: ProgressDisplay(progress: progress, style: .bar)
        case .never: nil
        }
    }
}

/// Shows progress on standard error: a line that is redrawn, or a new line at most every 10 seconds if standard error
/// is not a terminal.
struct ProgressDisplay: Sendable {
    enum Style { case bar, lines }

    private static let barWidth = 30

    private var progress: MediaProgress
    private let style: Style
    /// The time of the last drawing, or of the start of the work.
    private var lastDrawTime = ContinuousClock.now
    private var isOnScreen = false

    init(progress: MediaProgress, style: Style) {
        self.progress = progress
        self.style = style
    }

    /// The shortest interval between two drawings. Lines are meant for logs, so they are written less often.
    private var drawInterval: Duration { style == .bar ? .milliseconds(100) : .seconds(10) }

    /// Counts one more input of `bytes` bytes.
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

    /// Clears the line of the bar for other output.
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

    /// The status, such as `120/400 files, 35.2 MB/s, 1 min 20 s left`.
    private func statusText(at now: ContinuousClock.Instant) -> String {
        let speed = DecimalFormat.string(from: progress.throughput(at: now).bytes / 1e6, fractionDigits: 1)
        let remaining = progress.completedFiles == progress.totalFiles ? nil : progress.estimatedTimeRemaining(at: now)
        let left = remaining.map { ", \(Self.durationText($0)) left" } ?? ""
        return "\(progress.completedFiles)/\(progress.totalFiles ?? 0) files, \(speed) MB/s\(left)"
    }

    private static func durationText(_ duration: Duration) -> String {
        let seconds = max(1, duration.components.seconds)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
