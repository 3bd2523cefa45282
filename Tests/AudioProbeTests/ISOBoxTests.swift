import MediaContainers
import Testing

@Suite("The size of an ISO box")
struct ISOBoxTests {
    private func makeBox(size: Int, largeSize: UInt64? = nil, availableBytes: Int = 100, isTopLevel: Bool = true)
        -> ISOBox?
    {
        ISOBox(
            type: "free", size: size, largeSize: largeSize, availableRange: 1000..<1000 + availableBytes,
            isTopLevel: isTopLevel)
    }

    @Test("includes the header")
    func sizeIncludesHeader() throws {
        let box = try #require(makeBox(size: 20))
        #expect(box.range == 1000..<1020 && box.contentRange == 1008..<1020)
        #expect(!box.isTruncated && box.declaredSize == 20)
    }

    @Test("has 64 bits after a size of 1")
    func largeSizeFollows() throws {
        let box = try #require(makeBox(size: 1, largeSize: 20))
        #expect(box.range == 1000..<1020 && box.contentRange == 1016..<1020)
    }

    @Test("may exceed what there is", arguments: [101, UInt64(1) << 63, .max])
    func truncatedBoxEndsWithItsContainer(declaredSize: UInt64) throws {
        let box = try #require(makeBox(size: 1, largeSize: declaredSize))
        #expect(box.isTruncated && box.declaredSize == declaredSize)
        #expect(box.range == 1000..<1100 && box.contentRange == 1016..<1100)
    }

    @Test("of 0 means all that follows, outside other boxes")
    func zeroExtendsToTheEnd() throws {
        let box = try #require(makeBox(size: 0))
        #expect(box.range == 1000..<1100 && !box.isTruncated && box.declaredSize == nil)
        #expect(makeBox(size: 0, isTopLevel: false) == nil)
    }

    @Test("cannot be less than that of the header")
    func headerMustFit() {
        #expect(makeBox(size: 7) == nil)
        #expect(makeBox(size: 1, largeSize: 15) == nil)
        #expect(makeBox(size: 1) == nil)
        #expect(makeBox(size: 20, availableBytes: 7) == nil)
        #expect(makeBox(size: 1, largeSize: 20, availableBytes: 15) == nil)
    }
}
