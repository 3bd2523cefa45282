/// The rows that the page lists, as its script reads them, in a bounded number of bytes: of what doesn't fit, the least
/// important goes first, and of rows alike the last.
struct ReportRowList {
    /// The rows of one rank: JSON arrays, each with a comma and a line end behind it.
    private struct PriorityGroup {
        var jsonBytes: [UInt8] = []
        var rowCount = 0

        mutating func removeLast() {
            let previous = jsonBytes.dropLast().lastIndex(of: ReportRowList.lineEnd)
            jsonBytes.removeLast(jsonBytes.count - (previous.map { $0 + 1 } ?? 0))
            rowCount -= 1
        }
    }

    private static let lineEnd = UInt8(ascii: "\n")

    private var priorityGroups = ReportRow.ListingPriority.allCases.map { _ in PriorityGroup() }
    private let maxBytes: Int

    /// - Parameter maxBytes: bytes that are kept at most.
    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// How many rows are listed.
    var rowCount: Int { priorityGroups.reduce(0) { $0 + $1.rowCount } }

    private var byteCount: Int { priorityGroups.reduce(0) { $0 + $1.jsonBytes.count } }

    mutating func appendRow(_ row: ReportRow) {
        let json = row.jsonArray()
        let rank = row.listingPriority.rawValue
        priorityGroups[rank].jsonBytes += json
        priorityGroups[rank].jsonBytes += [UInt8(ascii: ","), Self.lineEnd]
        priorityGroups[rank].rowCount += 1
        shrink(toByteCount: maxBytes)
    }

    /// Leaves rows out until they take no more than so many bytes.
    mutating func shrink(toByteCount limit: Int) {
        while byteCount > limit, let last = priorityGroups.lastIndex(where: { $0.rowCount > 0 }) {
            priorityGroups[last].removeLast()
        }
    }

    /// Writes the content of a JSON array, in the order of the list.
    consuming func writeJSON(to file: borrowing AtomicFile) throws(RunError) {
        if let last = priorityGroups.lastIndex(where: { $0.rowCount > 0 }) {
            priorityGroups[last].jsonBytes.removeLast(2)
        }
        for group in priorityGroups { try file.write(group.jsonBytes) }
    }
}
