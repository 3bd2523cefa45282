/// Opus in WebM as browsers record it (RFC 9559, sections 5 and 10).
enum WebMOpus {
    static func file(seconds: Int) -> [UInt8] {
        var random = SplitMix64(seed: 5)
        let audio = element([0xB5], content: [0x47, 0x3B, 0x80, 0x00]) + element([0x9F], content: [1])
        let track =
            element([0xD7], content: [1]) + element([0x83], content: [2])
            + element([0x86], content: Array("A_OPUS".utf8))
            + element([0x63, 0xA2], content: OpusPackets.head) + element([0x56, 0xAA], content: [0x63, 0x2E, 0xA0])
            + element([0xE1], content: audio)
        var file = element([0x1A, 0x45, 0xDF, 0xA3], content: element([0x42, 0x82], content: Array("webm".utf8)))
        file += unsized([0x18, 0x53, 0x80, 0x67])
        file += element([0x15, 0x49, 0xA9, 0x66], content: element([0x2A, 0xD7, 0xB1], content: [0x0F, 0x42, 0x40]))
        file += element([0x16, 0x54, 0xAE, 0x6B], content: element([0xAE], content: track))
        for second in 0..<seconds {
            var timestamp: [UInt8] = []
            timestamp.appendBigEndian(1000 * second, bytes: 4)
            file += unsized([0x1F, 0x43, 0xB6, 0x75]) + element([0xE7], content: timestamp)
            for packet in 0..<50 {
                var block: [UInt8] = [0x81]
                block.appendBigEndian(20 * packet, bytes: 2)
                file += element([0xA3], content: block + [0x80] + OpusPackets.packet(&random))
            }
        }
        return file
    }

    /// Returns an element of less than 16 KiB, with its size in two bytes.
    private static func element(_ id: [UInt8], content: [UInt8]) -> [UInt8] {
        var element = id
        element.appendBigEndian(content.count | 1 << 14, bytes: 2)
        return element + content
    }

    /// Returns the head of an element of unknown size.
    private static func unsized(_ id: [UInt8]) -> [UInt8] { id + [0x01] + [UInt8](repeating: 0xFF, count: 7) }
}
