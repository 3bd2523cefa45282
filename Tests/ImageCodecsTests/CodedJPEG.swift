import TestSupport

/// A prefix code as a JPEG file defines it.
struct PrefixCode {
    /// The number of codes of each length, from 1 to 16 bits.
    var counts = [UInt8](repeating: 0, count: 16)
    var symbols: [UInt8]
    private var codes: [UInt8: (bits: Int, count: Int)] = [:]

    /// Codes in ascending order of their lengths.
    init(_ lengthsOfSymbols: [(symbol: UInt8, length: Int)]) {
        symbols = lengthsOfSymbols.map(\.symbol)
        var next = 0, previousLength = 1
        for (symbol, length) in lengthsOfSymbols {
            next <<= length - previousLength
            counts[length - 1] += 1
            codes[symbol] = (next, length)
            next += 1
            previousLength = length
        }
    }

    init(symbols: [UInt8], length: Int) { self.init(symbols.map { ($0, length) }) }

    /// A code of random lengths. The codes of all ones stay free, as the format requires.
    init(randomFor symbols: [UInt8], using random: inout SplitMix64) {
        var remaining = symbols[...]
        for i in remaining.indices { remaining.swapAt(i, random.number(in: i...(remaining.count - 1))) }
        var lengths: [(UInt8, Int)] = []
        var free = 1  // codes of this length that are not used and not all ones
        for length in 1...16 {
            let rest = 16 - length
            // The symbols that are left need a code of at most 16 bits.
            let fitting = (0...min(free, remaining.count)).filter { (free - $0) << rest >= remaining.count - $0 }
            let count = length == 16 ? remaining.count : fitting[random.number(in: 0...(fitting.count - 1))]
            lengths += remaining.prefix(count).map { ($0, length) }
            remaining = remaining.dropFirst(count)
            free = (free - count) * 2 + 1
        }
        self.init(lengths)
    }

    subscript(symbol: UInt8) -> (bits: Int, count: Int) {
        guard let code = codes[symbol] else { preconditionFailure("no code for the symbol \(symbol)") }
        return code
    }

    func segment(class tableClass: UInt8) -> [UInt8] {
        EditableJPEG.Segment(marker: 0xC4, payload: [tableClass << 4 as UInt8] + counts + symbols).bytes
    }
}

/// A gray baseline JPEG with codes and symbols of the test's choice. Its quantization steps are 1.
struct CodedJPEG {
    enum Symbol {
        case dcDifference(Int)
        case coefficient(zeros: Int, Int)
        case sixteenZeros, endOfBlock
    }

    static let allDCSymbols = [UInt8](0...11)
    static let allACSymbols: [UInt8] = [0x00, 0xF0] + (0...0xFF).filter { 1...10 ~= $0 & 15 }

    var dcCode = PrefixCode(symbols: allDCSymbols, length: 4), acCode = PrefixCode(symbols: allACSymbols, length: 8)
    var blocks: [[Symbol]]
    var blocksPerRow = 1
    /// The number of blocks between restart markers; 0 for none.
    var restartInterval = 0

    var bytes: [UInt8] {
        let (width, height) = (blocksPerRow * 8, blocks.count / blocksPerRow * 8)
        let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        bytes += segment(0xC0, [8] + size + [1, 1, 0x11, 0])
        bytes += dcCode.segment(class: 0) + acCode.segment(class: 1)
        bytes += segment(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 255)])
        bytes += segment(0xDA, [1, 1, 0, 0, 63, 0])
        return bytes + entropyCodedData + [0xFF, 0xD9]
    }

    private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        EditableJPEG.Segment(marker: marker, payload: payload).bytes
    }

    private var entropyCodedData: [UInt8] {
        var data: [UInt8] = [], bits = BitWriter()
        for (index, block) in blocks.enumerated() {
            if restartInterval > 0, index > 0, index % restartInterval == 0 {
                data += bits.finish() + [0xFF, 0xD0 + UInt8((index / restartInterval - 1) & 7)]
            }
            for symbol in block { append(symbol, to: &bits) }
        }
        return data + bits.finish()
    }

    private func append(_ symbol: Symbol, to bits: inout BitWriter) {
        func append(_ code: PrefixCode, zeros: Int, _ value: Int) {
            let size = Int.bitWidth - value.magnitude.leadingZeroBitCount
            bits.append(code[UInt8(zeros << 4 | size)])
            bits.append((value < 0 ? value + 1 << size - 1 : value, size))
        }
        switch symbol {
        case .dcDifference(let difference): append(dcCode, zeros: 0, difference)
        case .coefficient(let zeros, let value): append(acCode, zeros: zeros, value)
        case .sixteenZeros: bits.append(acCode[0xF0])
        case .endOfBlock: bits.append(acCode[0x00])
        }
    }
}

/// Packs bits, the most significant first.
private struct BitWriter {
    private var bytes: [UInt8] = [], pending = 0, pendingCount = 0

    mutating func append(_ bits: (bits: Int, count: Int)) {
        pending = pending << bits.count | bits.bits
        pendingCount += bits.count
        while pendingCount >= 8 {
            pendingCount -= 8
            let byte = UInt8(truncatingIfNeeded: pending >> pendingCount)
            bytes += byte == 0xFF ? [0xFF, 0] : [byte]
        }
        pending &= 0xFF
    }

    /// Fills the last byte with ones and returns all bytes.
    mutating func finish() -> [UInt8] {
        if pendingCount > 0 { append(((1 << (8 - pendingCount)) - 1, 8 - pendingCount)) }
        defer { self = BitWriter() }
        return bytes
    }
}
