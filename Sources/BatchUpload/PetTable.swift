internal import Batch
internal import HTTPCalls
package import SystemPackage
internal import Uploading

/// The pets that audio files belong to: one pet for all files, or a table of files and pets.
///
/// The table is CSV (RFC 4180). Each line holds a file, a pet's ID and optionally an appointment's ID. A first line
/// that starts with `file,pet_id` is a header. This type parses the CSV itself because file names are bytes that need
/// not be UTF-8.
package struct PetTable: Sendable {
    private struct Row: Sendable {
        var petID: String
        var appointmentID: String?
    }

    private var rowsByFile: [FilePath: Row] = [:]
    private let defaultPetID: String?
    private let defaultAppointmentID: String?

    /// Creates a table with one pet for all files.
    package init(petID: String?, appointmentID: String?) {
        self.defaultPetID = petID
        self.defaultAppointmentID = appointmentID
    }

    /// Reads a table from a file.
    ///
    /// - Parameters:
    ///   - path: The table's path. The table names files as the inputs are named, or relative to its own directory.
    ///   - defaultAppointmentID: The appointment's ID for lines that have none.
    /// - Throws: `BatchError` if the table cannot be read, or a line is invalid or names a file again;
    ///   `CancellationError`.
    package init(contentsOf path: FilePath, defaultAppointmentID: String?) throws {
        self.init(petID: nil, appointmentID: defaultAppointmentID)
        var lines = try LineReader(path: path)
        var number = 0
        while let line = try lines.nextLine() {
            number += 1
            let fields = try Self.parseCSVFields(ofLine: line.bytes, number: number, path: path)
            let names = fields.map { String(decoding: $0, as: UTF8.self) }
            if fields.isEmpty || number == 1 && names.starts(with: ["file", "pet_id"]) { continue }
            guard (2...3).contains(fields.count), let file = FilePath(bytes: fields[0]), !names[1].isEmpty else {
                throw BatchError(
                    .invalidInput, message: "line \(number) of \(path) does not consist of a file and a pet ID")
            }
            let row = Row(petID: names[1], appointmentID: fields.count > 2 && !names[2].isEmpty ? names[2] : nil)
            for name in Set([
                file.lexicallyNormalized(), path.removingLastComponent().pushing(file).lexicallyNormalized(),
            ])
            where rowsByFile.updateValue(row, forKey: name) != nil {
                throw BatchError(.invalidInput, message: "line \(number) of \(path) names \(file) a second time")
            }
        }
    }

    /// Returns the form fields for an audio file. They lack `pet_id` if the table does not list the file.
    func formFields(forFile input: FilePath) -> [FormField] {
        let row = rowsByFile[input.lexicallyNormalized()]
        return [
            (row?.petID ?? defaultPetID).map { FormField(name: "pet_id", value: $0) },
            (row?.appointmentID ?? defaultAppointmentID).map { FormField(name: "appointment_id", value: $0) },
        ].compactMap { $0 }
    }

    /// Returns the fields of a CSV line, or an empty array for an empty line. A quoted field may contain commas and
    /// doubled quotation marks.
    private static func parseCSVFields(ofLine line: [UInt8], number: Int, path: FilePath) throws(BatchError)
        -> [[UInt8]]
    {
        var line = line
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if line.isEmpty { return [] }
        let quote = UInt8(ascii: "\"")
        var fields: [[UInt8]] = [[]]
        var isQuoted = false, index = 0
        while index < line.count {
            let byte = line[index]
            index += 1
            if byte == quote, isQuoted, index < line.count, line[index] == quote {
                fields[fields.count - 1].append(quote)
                index += 1
            } else if byte == quote {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
        }
        if isQuoted {
            throw BatchError(
                .invalidInput, message: "line \(number) of \(path) has an unclosed quotation mark")
        }
        return fields
    }
}
