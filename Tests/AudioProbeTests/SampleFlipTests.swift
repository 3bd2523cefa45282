import Foundation
import TestSupport
import Testing

@Suite("Recordings by other tools, with bytes changed")
struct SampleFlipTests {
    @Test("A recording or an error comes out", arguments: 1...8)
    func flips(seed: Int) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Samples.recordings.path).sorted()
        let name = names[seed % names.count]
        HostileBytes.flip([UInt8](try Data(contentsOf: Samples.recording(name))), count: 1000, seed: UInt64(seed))
    }
}
