import Imaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The instruction set that the environment variable `PREP_SIMD` requests for the tests.
package enum RequestedInstructionSet {
    /// The name of the set; `nil` if none is requested.
    package static let name = ProcessInfo.processInfo.environment["PREP_SIMD"].flatMap { $0.isEmpty ? nil : $0 }

    /// Selects the requested set. An image could be prepared in any test, so CTestImages calls this as soon as the
    /// tests are loaded.
    fileprivate static func select() {
        do throws(InstructionSet.SelectionError) {
            try InstructionSet.selectForProcess(named: name)
        } catch {
            fatalError("PREP_SIMD asks for \(name ?? ""), which can't be selected: \(error)")
        }
    }
}

@_cdecl("prep_tests_select_instruction_set")
func selectRequestedInstructionSet() { RequestedInstructionSet.select() }
