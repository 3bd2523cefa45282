/// Opus in WebM as browsers record it: RFC 9559, sections 5 and 10.
enum WebMOpus {
    static func file(seconds: Int) -> [UInt8] {
        var random = SplitMix64(seed: 5)
        let audio = element([0xB5], [0x47, 0x3B, 0x80, 0x00]) + element([0x9F], [1])
        let track =
            element([0xD7], [1]) + element([0x83], [2]) + element([0x86], Array("A_OPUS".utf8))
            + element([0x63, 0xA2], OpusPackets.head) + element([0x56, 0xAA], [0x63, 0x2E, 0xA0])
            + element([0xE1], audio)
        var file = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("webm".utf8)))
        file += unsized([0x18, 0x53, 0x80, 0x67])
        file += element([0x15, 0x49, 0xA9, 0x66], element([0x2A, 0xD7, 0xB1], [0x0F, 0x42, 0x40]))
        file += element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track))
        for second in 0..<seconds {
            var timestamp: [UInt8] = []
            timestamp.appendBig(1000 * second, bytes: 4)
            file += unsized([0x1F, 0x43, 0xB6, 0x75]) + element([0xE7], timestamp)
            for packet in 0..<50 {
                var block: [UInt8] = [0x81]
                block.appendBig(20 * packet, bytes: 2)
                file += element([0xA3], block + [0x80] + OpusPackets.packet(&random))
            }
        }
        return file
    }

    /// An element of less than 16 KiB, its size in two bytes.
    private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        var element = id
        element.appendBig(content.count | 1 << 14, bytes: 2)
        return element + content
    }

    /// The head of an element of unknown size.
    private static func unsized(_ id: [UInt8]) -> [UInt8] { id + [0x01] + [UInt8](repeating: 0xFF, count: 7) }
}
