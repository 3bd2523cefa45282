internal import Foundation
internal import JSONValues

/// The members of the object in a request of KSR Cranes. Members that it does not list are stored as they are.
struct CraneSchema: Sendable {
    /// The type of a member's value.
    enum ValueType: Sendable {
        /// A text that is not blank.
        case text
        case number
        case integer
        case boolean
        /// A date in the document's format, such as `2025-06-30T08:15:00.250000Z`.
        case date
        case integers
        /// A list with at least one object.
        indirect case objects(CraneSchema)
    }

    private var required: [String: ValueType]
    private var optional: [String: ValueType]

    init(required: [String: ValueType] = [:], optional: [String: ValueType] = [:]) {
        (self.required, self.optional) = (required, optional)
    }

    /// Returns a sentence for each member that is missing or has another type, in the order of their names.
    ///
    /// - Parameters:
    ///   - members: The members of the object.
    ///   - path: The keys that lead to the object, each followed by a dot.
    func errors(in members: CraneObjects.Members, path: String = "") -> [String] {
        required.merging(optional) { $1 }.sorted { $0.key < $1.key }.flatMap { key, type in
            switch members[key] {
            case nil, .null: required[key] == nil ? [] : ["\(path)\(key) is required"]
            case let value?: Self.errors(of: value, type: type, name: "\(path)\(key)")
            }
        }
    }

    private static func errors(of value: JSONValue, type: ValueType, name: String) -> [String] {
        switch (type, value) {
        case (.text, .string(let text)): text.allSatisfy(\.isWhitespace) ? ["\(name) is required"] : []
        case (.text, _): ["\(name) is not a text"]
        case (.number, .integer), (.number, .number), (.integer, .integer), (.boolean, .bool): []
        case (.number, _): ["\(name) is not a number"]
        case (.integer, _): ["\(name) is not an integer"]
        case (.boolean, _): ["\(name) is not true or false"]
        case (.date, .string(let text)) where isDate(text): []
        case (.date, _): ["\(name) is not a date"]
        case (.integers, .array(let values)):
            values.enumerated().flatMap { errors(of: $1, type: .integer, name: "\(name).\($0)") }
        case (.objects, .array([])): ["\(name) is required"]
        case (.objects(let schema), .array(let values)):
            values.enumerated().flatMap { index, value in
                guard case .object(let members) = value else { return ["\(name).\(index) is not an object"] }
                return schema.errors(in: members, path: "\(name).\(index).")
            }
        case (.integers, _), (.objects, _): ["\(name) is not a list"]
        }
    }

    /// Returns whether the text is a date with six fractional digits.
    private static func isDate(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: /(.{19})\.\d{6}Z/) else { return false }
        let style = Date.ISO8601FormatStyle(), seconds = "\(match.1)Z"
        // Parsing alone takes the 31st of June for the 1st of July.
        return (try? style.parse(seconds)).map { style.format($0) } == seconds
    }

    /// Returns whether the text is a day, such as `2025-06-30`.
    static func isDay(_ text: String) -> Bool { text.utf8.count == 10 && isDate("\(text)T00:00:00.000000Z") }
}

/// The schemas of the requests. The members of a work entry and of a new customer are the document's, all others are
/// assumed as in the client.
extension CraneSchema {
    static let workEntry = CraneSchema(
        required: [
            "employeeId": .integer, "workDate": .date, "normalHours": .number, "overtimeHours": .number,
            "weekendHours": .number, "status": .text,
        ],
        optional: [
            "id": .integer, "projectId": .integer, "taskId": .integer, "submittedAt": .date, "approvedAt": .date,
            "approvedBy": .integer,
        ])
    static let timesheet = CraneSchema(required: ["entries": .objects(workEntry)])
    static let leaveRequest = CraneSchema(required: ["type": .text, "startDate": .date, "endDate": .date])
    static let teamMemberStatus = CraneSchema(required: ["status": .text])
    static let newCustomer = CraneSchema(required: ["name": .text], optional: ["email": .text, "phone": .text])
    static let changedCustomer = CraneSchema(
        optional: ["id": .integer, "name": .text, "email": .text, "phone": .text])
    static let newWorker = CraneSchema(
        required: ["name": .text, "email": .text], optional: ["phone": .text, "role": .text])
    static let changedWorker = CraneSchema(
        optional: ["id": .integer, "name": .text, "email": .text, "phone": .text, "isActive": .boolean])
    static let payrollBatch = CraneSchema(required: ["periodId": .text, "workEntryIds": .integers])
}
