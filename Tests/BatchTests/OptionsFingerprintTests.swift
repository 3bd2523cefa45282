import MediaPrep
import Testing

@testable import Batch

@Suite("Digests of options of earlier versions") struct OptionsFingerprintTests {
    private static func makeFingerprint(
        revision: Int = MediaPipeline.resultRevision, change: (inout ImageOptions) -> Void = { _ in }
    ) -> OptionsFingerprint {
        var images = ImageOptions()
        change(&images)
        return OptionsFingerprint(
            images: images, recordings: AudioOptions(), keepsDates: false, isPublic: false, revision: revision)
    }

    @Test("The default options of today are equivalent to those with 4:2:0 before it was chosen", arguments: 1...3)
    func defaultChromaIsEquivalentToEarlierDefault(revision: Int) throws {
        // Those of revision 1 to `revision`, as a version of that revision computes them.
        let earlier = try Self.makeFingerprint(revision: revision) { $0.chroma = .yuv420 }.equivalentDigests()
        #expect(earlier.isSubset(of: try Self.makeFingerprint().equivalentDigests()))
        #expect(try earlier.isDisjoint(with: Self.makeFingerprint { $0.quality = 70 }.equivalentDigests()))
        #expect(try earlier.isDisjoint(with: Self.makeFingerprint { $0.chroma = .yuv444 }.equivalentDigests()))
    }
}
