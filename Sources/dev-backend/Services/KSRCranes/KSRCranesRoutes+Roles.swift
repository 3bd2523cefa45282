internal import GRDB
internal import JSONValues

/// The calls that depend on the role. The specification gives two of the paths; the others are assumed, as in the
/// client.
extension KSRCranesRoutes {
    func respondByRole(to request: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse? {
        let segments = request.path.split(separator: "/").dropFirst(2).map(String.init)
        switch segments.first {
        case "manager":
            try await requireRole("manager")
            return try await respondToManager(request, Array(segments.dropFirst()))
        case "chef":
            try await requireRole("chef")
            return try await respondToChef(request, Array(segments.dropFirst()), idempotencyKey: idempotencyKey)
        default:
            guard
                ["tasks", "work-entries", "timesheets", "notifications", "leave-requests", "leave-balance"].contains(
                    segments.first)
            else { return nil }
            try await requireRole("worker")
            return try await respondToWorker(request, segments, idempotencyKey: idempotencyKey)
        }
    }

    /// Checks the role of the account. A token that is valid for all has every role.
    ///
    /// - Throws: `forbidden`.
    private func requireRole(_ role: String) async throws {
        guard account.owner != nil else { return }
        let employee = try await store.readFromDatabase { [account] in try Employee(of: account, database: $0) }
        guard employee.role == role else { throw ErrorResponse.forbidden }
    }

    // MARK: Workers

    private func respondToWorker(
        _ request: IncomingRequest, _ segments: [String], idempotencyKey: String?
    ) async throws -> JSONResponse? {
        switch (request.method, segments.count, segments[0]) {
        case ("GET", 1, "tasks"): return try await list("task")
        case ("GET", 2, "tasks"):
            return try await read { objects in
                JSONValue.object([
                    "task": .object(try objects.object("task", id: try Self.id(segments[1]))),
                    "assignments": .array([]),
                ])
            }
        case ("GET", 1, "work-entries"): return try await listWorkEntries(request)
        case ("POST", 1, "work-entries"):
            return try await create(
                request, "work-entry", idempotencyKey, schema: .workEntry, answer: { ["entry": .object($0)] },
                completing: { $0.merging(["status": .string("SUBMITTED")]) { $1 } })
        case ("GET", 1, "timesheets"): return try await list("timesheet", key: "timesheets")
        case ("POST", 1, "timesheets"):
            return try await create(
                request, "timesheet", idempotencyKey, schema: .timesheet, answer: { ["timesheet": .object($0)] },
                completing: { $0.merging(Self.timesheetMembers(entries: $0["entries"])) { $1 } })
        case ("GET", 1, "notifications"): return try await list("notification", key: "notifications")
        case ("PUT", 3, "notifications"):
            let id = try Self.id(segments[1])
            return try await change { try $0.update("notification", id: id, ["isRead": .bool(true)]) }
        case ("POST", 1, "leave-requests"):
            return try await create(
                request, "leave", idempotencyKey, schema: .leaveRequest, answer: { ["requestId": $0["id"] ?? .null] })
        case ("GET", 1, "leave-balance"):
            return try await read { _ in
                .object([
                    "vacationDaysTotal": .integer(25), "vacationDaysUsed": .integer(5),
                    "vacationDaysRemaining": .integer(20),
                ])
            }
        default: return nil
        }
    }

    /// Lists the entries of the days from `startDate` to `endDate`.
    ///
    /// - Throws: The error of an invalid query.
    private func listWorkEntries(_ request: IncomingRequest) async throws -> JSONResponse {
        let first = request.queryValue(named: "startDate") ?? "", last = request.queryValue(named: "endDate") ?? ""
        let errors = [("startDate", first), ("endDate", last)].filter { !CraneSchema.isDay($0.1) }
        guard errors.isEmpty else { throw Self.validationError(errors.map { "\($0.0) is not a day" }) }
        return try await read { objects in
            .array(
                try objects.all("work-entry").filter { entry in
                    guard case .string(let day)? = entry["workDate"] else { return false }
                    return (first...max(first, last)).contains(String(day.prefix(10)))
                }.map { .object($0) })
        }
    }

    /// The members of a timesheet that the server adds: the period of the entries, and the state.
    private static func timesheetMembers(entries: JSONValue?) -> CraneObjects.Members {
        guard case .array(let entries)? = entries else { return [:] }
        let days = entries.compactMap { entry -> String? in
            guard case .object(let members) = entry, case .string(let day)? = members["workDate"] else { return nil }
            return day
        }
        // All days have the same format, so that their order is that of their texts.
        return [
            "startDate": days.min().map(JSONValue.string) ?? .null,
            "endDate": days.max().map(JSONValue.string) ?? .null, "status": .string("SUBMITTED"),
        ]
    }

    // MARK: Managers

    private func respondToManager(_ request: IncomingRequest, _ segments: [String]) async throws -> JSONResponse? {
        switch (request.method, segments.count, segments.first) {
        case ("GET", 1, "work-entries"):
            return try await read { .array(try $0.workEntries(status: "SUBMITTED").map { .object($0) }) }
        case ("PUT", 3, "work-entries"):
            let id = try Self.id(segments[1])
            return try await change { try $0.update("work-entry", id: id, ["status": .string("APPROVED")]) }
        case ("GET", 1, "team"): return try await list("worker")
        case ("PUT", 3, "team"):
            let id = try Self.id(segments[1])
            let (changes, _) = try await readMembers(of: request, schema: .teamMemberStatus)
            return try await change { try $0.update("worker", id: id, changes) }
        default: return nil
        }
    }

    // MARK: The chef

    private func respondToChef(
        _ request: IncomingRequest, _ segments: [String], idempotencyKey: String?
    ) async throws -> JSONResponse? {
        switch (request.method, segments.joined(separator: "/")) {
        case ("GET", "dashboard"):
            return try await read { objects in
                .object([
                    "activeProjects": .integer(1), "activeWorkers": .integer(Int64(try objects.all("worker").count)),
                    "pendingWorkEntries": .integer(Int64(try objects.workEntries(status: "SUBMITTED").count)),
                ])
            }
        case ("GET", "insights"): return try await read { _ in .object(["totalHours": .number(7.5)]) }
        case ("GET", "customers"): return try await page(request, "customer", key: "customers")
        case ("POST", "customers"):
            return try await create(request, "customer", idempotencyKey, schema: .newCustomer)
        case ("GET", "workers"): return try await page(request, "worker", key: "workers")
        case ("POST", "workers"):
            return try await create(request, "worker", idempotencyKey, schema: .newWorker) {
                $0.merging(["isActive": .bool(true), "status": .string("active")]) { $1 }
            }
        case ("GET", "payroll/stats"):
            return try await read { _ in .object(["pendingHours": .number(7.5), "readyEmployees": .integer(1)]) }
        case ("POST", "payroll/batches"):
            return try await create(request, "batch", idempotencyKey, schema: .payrollBatch) {
                $0.merging(["status": .string("NEW"), "totalHours": .integer(0)]) { $1 }
            }
        case ("GET", "payroll/work-entries"): return try await read { .array(try $0.availableWorkEntries()) }
        default: return try await respondToChangeByChef(request, segments)
        }
    }

    private func respondToChangeByChef(_ request: IncomingRequest, _ segments: [String]) async throws -> JSONResponse? {
        guard segments.count == 2, ["customers", "workers"].contains(segments[0]) else { return nil }
        let kind = String(segments[0].dropLast()), id = try Self.id(segments[1])
        switch request.method {
        case "PUT":
            let (changes, _) = try await readMembers(
                of: request, schema: kind == "worker" ? .changedWorker : .changedCustomer)
            return try await store.writeInTransaction { database in
                JSONResponse(
                    encoding: JSONValue.object(try CraneObjects(database: database).update(kind, id: id, changes)))
            }
        case "DELETE" where kind == "worker": return try await change { try $0.remove(kind, id: id) }
        default: return nil
        }
    }
}
