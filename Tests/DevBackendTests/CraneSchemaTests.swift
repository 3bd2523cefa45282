import Testing

@testable import dev_backend

@Suite("The bodies of KSR Cranes' requests")
struct CraneSchemaTests {
    private static let entry =
        #""employeeId":1,"workDate":"2025-06-30T00:00:00.000000Z","normalHours":7.5,"overtimeHours":0,"#
        + #""weekendHours":0,"status":"DRAFT""#

    @Test(
        "are refused with a sentence for each missing or ill-typed member",
        arguments: [
            ("POST", "work-entries", "{\(entry)}", []),
            ("POST", "work-entries", #"{\#(entry),"notes":null,"taskId":null,"extra":[1]}"#, []),
            (
                "POST", "work-entries", "{}",
                [
                    "employeeId is required", "normalHours is required", "overtimeHours is required",
                    "status is required", "weekendHours is required", "workDate is required",
                ]
            ),
            ("POST", "work-entries", #"{\#(entry),"taskId":1.5}"#, ["taskId is not an integer"]),
            (
                "POST", "work-entries",
                #"{"employeeId":"1","workDate":"2025-06-31T00:00:00.000000Z","normalHours":"7","overtimeHours":0,"#
                    + #""weekendHours":0,"status":7}"#,
                [
                    "employeeId is not an integer", "normalHours is not a number", "status is not a text",
                    "workDate is not a date",
                ]
            ),
            (
                "POST", "timesheets", #"{"entries":[{\#(entry)},{\#(entry),"approvedAt":"today"},7]}"#,
                ["entries.1.approvedAt is not a date", "entries.2 is not an object"]
            ),
            ("POST", "timesheets", #"{"entries":{}}"#, ["entries is not a list"]),
            ("POST", "timesheets", #"{"entries":[]}"#, ["entries is required"]),
            (
                "POST", "leave-requests", #"{"type":"SICK","startDate":"2025-06-30"}"#,
                ["endDate is required", "startDate is not a date"]
            ),
            ("PUT", "manager/team/1/status", #"{"status":" "}"#, ["status is required"]),
            ("POST", "chef/customers", #"{"email":1}"#, ["email is not a text", "name is required"]),
            ("POST", "chef/workers", #"{"name":"A"}"#, ["email is required"]),
            ("PUT", "chef/workers/1", #"{"isActive":"no"}"#, ["isActive is not true or false"]),
            (
                "POST", "chef/payroll/batches", #"{"periodId":"p","workEntryIds":[1,"2"]}"#,
                ["workEntryIds.1 is not an integer"]
            ),
        ] as [(String, String, String, [String])])
    func invalidMembers(_ method: String, _ path: String, _ body: String, _ errors: [String]) async throws {
        try await DevBackend.withRunningBackend { backend in
            let reply = try await backend.rawReply(to: .json(method, "/api/app/\(path)", body))
            guard !errors.isEmpty else {
                #expect(reply.status == 201)
                return
            }
            #expect(reply.status == 422 && reply.code == "validation-failed")
            #expect(try reply.json(RawHTTPClient.ErrorBody.self).errors == errors)
        }
    }

    @Test(
        "periods are days",
        arguments: [
            ("?startDate=2025-06-30&endDate=2025-07-06", []), ("", ["startDate is not a day", "endDate is not a day"]),
            ("?startDate=2025-06-30&endDate=2025-02-30", ["endDate is not a day"]),
            ("?startDate=30.6.2025&endDate=2025-07-06", ["startDate is not a day"]),
        ] as [(String, [String])])
    func periods(_ query: String, _ errors: [String]) async throws {
        try await DevBackend.withRunningBackend { backend in
            let reply = try await backend.rawReply(to: .get("/api/app/work-entries\(query)"))
            #expect(reply.status == (errors.isEmpty ? 200 : 422))
            if !errors.isEmpty { #expect(try reply.json(RawHTTPClient.ErrorBody.self).errors == errors) }
        }
    }
}
