import Foundation
import TestSupport
import Testing

@Suite("Recordings by other tools, with bytes changed")
struct SampleFlipTests {
    @Test("Changed files give a recording or an error", arguments: 1...8)
    func flippedSampleBytesAreHandled(seed: Int) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SampleMedia.goodAudioDirectory.path).sorted()
        let name = names[seed % names.count]
        HostileInputChecks.expectByteFlipsAreHandled(
            [UInt8](try Data(contentsOf: SampleMedia.goodAudio(named: name))), count: randomizedRounds(1000),
            seed: UInt64(seed))
    }
}
