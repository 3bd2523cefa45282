import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

@Suite("The decoders and instructions that are used where none are named")
struct DecoderPreferenceTests {
    @Test("The portable set decodes with the libraries, and every other one with the fastest decoders")
    func preferenceFollowsRequestedSet() {
        #expect(
            DecoderPreference.selected == (RequestedInstructionSet.name == "portable" ? .systemLibraries : .fastest))
    }

    @Test("A name that is not that of an available set is rejected", arguments: ["nonsense", "AVX2", "0"])
    func unknownNameIsUnavailable(name: String) {
        let error = #expect(throws: InstructionSet.SelectionError.self) { try InstructionSet.select(named: name) }
        #expect(error == .unavailable)
    }

    @Test("What is in use can be selected again, and nothing else")
    func lateSelectionIsAnError() throws {
        let set = InstructionSet.selected
        _ = DecoderPreference.selected
        for name in [nil, "", RequestedInstructionSet.name] { try InstructionSet.select(named: name) }
        for other in InstructionSet.allCases where other.isAvailable && other != set {
            let error = #expect(throws: InstructionSet.SelectionError.self) {
                try InstructionSet.select(named: other.rawValue)
            }
            #expect(error == .tooLate)
        }
    }
}
