// `unsafe`: takes over the memory that the encoder allocated.

import Imaging
import Testing

@testable import ImageCodecs

@Suite("Bytes in memory of malloc")
struct AllocatedBytesTests {
    @Test("Slices are joined, and can be taken over without a copy")
    func concatenatedSlicesAreHandedOver() {
        let file: [UInt8] = Array(0..<100)
        guard let bytes = AllocatedBytes(concatenating: [file[90...], [], file[..<3]]) else {
            Issue.record("there is no memory")
            return
        }
        let expected: [UInt8] = Array(90..<100) + [0, 1, 2]
        #expect(bytes.count == expected.count)
        #expect(bytes.copy() == expected)
        let memory = unsafe bytes.takeMemory()
        #expect(unsafe [UInt8](memory) == expected)
        unsafe memory.deallocate()
    }

    @Test("Each encoding has memory of its own, with the same bytes as a copy")
    func encodingsDoNotShareMemory() throws {
        let size = PixelSize(width: 16, height: 16)
        let image = PlanarImage(
            size: size, chromaSubsampling: .none, planes: [Plane(width: size.width, height: size.height)])
        var encoder = try JPEGEncoder()
        let options = JPEGEncoder.EncodingOptions(quality: 80)
        let expected = try encoder.encode(image, iccProfile: nil, options: options)
        let first = try encoder.encodeToAllocatedBytes(image, iccProfile: nil, options: options)
        let second = try encoder.encodeToAllocatedBytes(image, iccProfile: nil, options: .init(quality: 1))
        #expect(first.copy() == expected)
        #expect(second.copy() != expected)
    }
}
