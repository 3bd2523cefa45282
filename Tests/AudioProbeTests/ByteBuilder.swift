/// Builds files from single fields.
struct ByteBuilder {
    var bytes: [UInt8] = []

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    var count: Int { bytes.count }

    mutating func append(_ more: [UInt8]) { bytes += more }
    /// Appends one byte for each character, all of which are below U+0100.
    mutating func append(_ text: String) { bytes += text.unicodeScalars.map { UInt8($0.value) } }
    mutating func appendBigEndian(_ value: Int, byteCount count: Int) {
        bytes += (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    mutating func appendLittleEndian(_ value: Int, byteCount count: Int) {
        bytes += (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    mutating func appendZeros(count: Int) { bytes += [UInt8](repeating: 0, count: count) }
}
