import MediaPrep
import Testing

@Suite("Progress is a value")
struct MediaProgressTests {
    private static let start = ContinuousClock.now

    private static func makeProgress(_ files: [Int], totalFiles: Int? = nil, totalBytes: Int? = nil) -> MediaProgress {
        var progress = MediaProgress(totalFiles: totalFiles, totalBytes: totalBytes, startTime: start)
        for bytes in files { progress.recordCompletion(byteCount: bytes) }
        return progress
    }

    @Test("It counts files and bytes, and their rates per second")
    func progressCountsFilesBytesAndThroughput() {
        let progress = Self.makeProgress([1000, 0, 3000])
        #expect(progress.completedFiles == 3 && progress.completedBytes == 4000)
        let throughput = progress.throughput(at: Self.start + .seconds(2))
        #expect(throughput.bytes == 2000 && throughput.files == 1.5)
        let first = progress.throughput(at: Self.start)
        #expect(first.bytes == 0 && first.files == 0)
    }

    @Test("Sizes that no file has are counted as the most that there is")
    func hugeSizesSaturate() { #expect(Self.makeProgress([.max, .max, 1]).completedBytes == .max) }

    /// Sizes of the files done, the totals, the seconds gone by, and those that remain.
    static let remainingTimeCases: [([Int], Int?, Int?, Int, Duration?)] = [
        ([250], 10, 1000, 5, .seconds(15)), ([250], 10, nil, 5, .seconds(45)), ([250], nil, 1000, 5, .seconds(15)),
        ([250], nil, nil, 5, nil), ([250, 750], 2, 1000, 5, .zero), ([250, 800], 2, 1000, 5, .zero),
        ([250], 10, 1000, 0, nil), ([9], 10, 1000, 5, nil), ([10], 10, 1000, 5, .seconds(495)), ([], 10, 1000, 5, nil),
        ([0, 0], 4, 0, 2, .seconds(2)), ([], 0, 0, 0, .zero),
    ]

    @Test(
        "The remaining time is estimated by bytes if their total is known, otherwise by files, and not too early",
        arguments: remainingTimeCases)
    func remainingTimeUsesBytesOrFiles(
        _ files: [Int], _ totalFiles: Int?, _ totalBytes: Int?, _ seconds: Int, _ expected: Duration?
    ) {
        let progress = Self.makeProgress(files, totalFiles: totalFiles, totalBytes: totalBytes)
        #expect(progress.estimatedTimeRemaining(at: Self.start + .seconds(seconds)) == expected)
    }
}
