import Batch
import Foundation
import HTTPCalls
import MultipartBody
import SystemPackage
import Testing
import TestSupport
import Uploading

@testable import BatchUpload

@Suite("The table of pets")
struct PetTableTests {
    private func makeTable(_ text: String, appointment: String? = "V") throws -> PetTable {
        let directory = try TemporaryDirectory()
        let file = try directory.writeFile(Data(text.utf8), named: "pets.csv")
        return try PetTable(contentsOf: FilePath(file.path), defaultAppointmentID: appointment)
    }

    private func values(_ table: PetTable, _ file: FilePath) -> [String] {
        table.formFields(forFile: file).map { "\($0.name)=\($0.value)" }
    }

    @Test(
        "A row assigns a pet and an appointment to a file",
        arguments: [
            ("a.wav,7\n", ["pet_id=7", "appointment_id=V"]), ("a.wav,7,W\n", ["pet_id=7", "appointment_id=W"]),
            ("file,pet_id\na.wav,7\n", ["pet_id=7", "appointment_id=V"]),
            ("\u{FEFF}file,pet_id,appointment_id\r\n\"a.wav\",\"7\",\r\n", ["pet_id=7", "appointment_id=V"]),
            ("./x/../a.wav,\"a \"\"b\"\", c\"\n", ["pet_id=a \"b\", c", "appointment_id=V"]),
            ("b.wav,7\n", ["appointment_id=V"]),
        ])
    func rowsAreParsed(text: String, fields: [String]) throws {
        #expect(values(try makeTable(text), "a.wav") == fields)
    }

    @Test(
        "An invalid table is an error that names the line",
        arguments: [
            "a.wav\n", "a.wav,\n", "a.wav,1,2,3\n", "a.wav,\"7\n", "a.wav,1\na.wav,2\n", "a.wav,1\n./a.wav,1\n",
        ])
    func invalidTablesAreRejected(text: String) throws {
        let error = #expect(throws: BatchError.self) { try makeTable(text) }
        #expect(error?.code == .invalidInput)
        #expect(error?.message.hasPrefix("line ") == true)
    }
}
