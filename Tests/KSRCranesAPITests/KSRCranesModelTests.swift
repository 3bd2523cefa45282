import Foundation
import HTTPTestSupport
import JSONValues
import KSRCranesAPI
import Testing

@Suite("The models of KSR Cranes")
struct KSRCranesModelTests {
    @Test("JSON is decoded and encoded without a change", arguments: KSRCranesModelRows.all)
    func roundTrip(_ row: ModelRow) throws {
        let (before, after) = try row.values(as: JSONValue.self)
        #expect(after == before)
    }

    @Test("each model has a fixture with all members")
    func coverage() throws {
        let rows = KSRCranesModelRows.all
        #expect(try Set(rows.map(\.description)) == ModuleSource.codableStructures(in: "KSRCranesAPI"))
        for row in rows { #expect(try row.findAbsentMembers().isEmpty, "\(row)") }
    }

    @Test("the values of the document's enumerations")
    func enumerations() {
        #expect(
            KSRCranesClient.WorkEntryStatus.allCases.map(\.rawValue) == ["DRAFT", "SUBMITTED", "APPROVED", "REJECTED"])
        #expect(
            KSRCranesClient.NotificationType.allCases.map(\.rawValue) == [
                "WORK_ENTRY_SUBMITTED", "WORK_ENTRY_APPROVED", "LEAVE_REQUEST_SUBMITTED", "LEAVE_REQUEST_APPROVED",
            ])
    }

    @Test(
        "the hours of an entry", arguments: [(7.5, 0.0, 0.0, 7.5, false), (7, 1, 0, 8, true), (0, 0, 2, 2, true)])
    func hours(_ normal: Double, _ overtime: Double, _ weekend: Double, _ total: Double, _ hasOvertime: Bool) {
        let entry = KSRCranesClient.WorkEntry(
            employeeID: 1, workDate: Date(), normalHours: normal, overtimeHours: overtime, weekendHours: weekend)
        #expect(entry.totalHours == total && entry.hasOvertime == hasOvertime)
    }

    @Test("a task without a title has a placeholder")
    func displayTitle() {
        let task = KSRCranesClient.WorkerTask(id: 1, taskID: 2, title: "", status: .open)
        #expect(task.displayTitle == "Untitled Task")
    }
}
