internal import Batch

/// The rows that the page lists, as JSON for its script, in a limited number of bytes.
///
/// If they do not fit, rows of the lowest priority are left out first, and the last ones among those of equal priority.
struct ReportRowList {
    /// The rows of one priority: JSON arrays, each followed by a comma and a line feed.
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

    /// Creates an empty list.
    ///
    /// - Parameter maxBytes: The maximum size of the JSON, in bytes.
    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// The number of listed rows.
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

    /// Removes rows until they take at most `limit` bytes.
    mutating func shrink(toByteCount limit: Int) {
        while byteCount > limit, let last = priorityGroups.lastIndex(where: { $0.rowCount > 0 }) {
            priorityGroups[last].removeLast()
        }
    }

    /// Writes the elements of a JSON array, in the order of the list.
    ///
    /// - Throws: `BatchError` if the file cannot be written.
    consuming func writeJSON(to file: borrowing AtomicFile) throws(BatchError) {
        if let last = priorityGroups.lastIndex(where: { $0.rowCount > 0 }) {
            priorityGroups[last].jsonBytes.removeLast(2)
        }
        for group in priorityGroups { try file.write(group.jsonBytes) }
    }
}
