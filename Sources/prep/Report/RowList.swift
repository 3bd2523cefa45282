/// The rows that the page lists, as its script reads them, in a bounded number of bytes: of what doesn't fit, the least
/// important goes first, and of rows alike the last.
struct RowList {
    /// The rows of one rank: JSON arrays, each with a comma and a line end behind it.
    private struct Group {
        var bytes: [UInt8] = []
        var count = 0

        mutating func removeLast() {
            let previous = bytes.dropLast().lastIndex(of: RowList.lineEnd)
            bytes.removeLast(bytes.count - (previous.map { $0 + 1 } ?? 0))
            count -= 1
        }
    }

    private static let lineEnd = UInt8(ascii: "\n")

    private var groups = ReportRow.Rank.allCases.map { _ in Group() }
    private let limit: Int

    /// - Parameter limit: bytes that are kept at most.
    init(limit: Int) { self.limit = limit }

    /// How many rows are listed.
    var count: Int { groups.reduce(0) { $0 + $1.count } }

    private var byteCount: Int { groups.reduce(0) { $0 + $1.bytes.count } }

    mutating func add(_ row: ReportRow) {
        let json = row.json()
        let rank = row.rank.rawValue
        groups[rank].bytes += json
        groups[rank].bytes += [UInt8(ascii: ","), Self.lineEnd]
        groups[rank].count += 1
        shrink(to: limit)
    }

    /// Leaves rows out until they take no more than so many bytes.
    mutating func shrink(to limit: Int) {
        while byteCount > limit, let last = groups.lastIndex(where: { $0.count > 0 }) { groups[last].removeLast() }
    }

    /// Writes the content of a JSON array, in the order of the list.
    consuming func write(to file: borrowing WholeFile) throws(RunError) {
        if let last = groups.lastIndex(where: { $0.count > 0 }) { groups[last].bytes.removeLast(2) }
        for group in groups { try file.write(group.bytes) }
    }
}
