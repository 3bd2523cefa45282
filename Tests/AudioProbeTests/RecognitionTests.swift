import AudioProbe
import Testing

@Suite("What is no recording is refused by its name")
struct RecognitionTests {
    @Test func emptyAndUnknown() {
        #expect(refusal([]) == .empty)
        #expect(refusal([0, 1, 2, 3, 4, 5, 6, 7]) == .unrecognized)
    }
}
