extension Chunk {
    /// What a chunk of WAVE says about anything but the sound; nil if nothing. `LIST` is looked into elsewhere.
    var waveMetadata: Metadata.Kind? {
        switch id {
        // Broadcast WAVE, AES46, BS.2076, what SoundForge and the AFsp tools write, and ID3.
        case "bext", "iXML", "cart", "axml", "aXML", "DISP", "afsp", "id3 ", "ID3 ": .text
        case "_PMX": .xmp
        default: nil
        }
    }

    /// Whether a `LIST` names or comments anything: in `INFO` that is any item but `ISFT`, the encoder.
    func isTellingList(_ reader: inout ChunkReader, in window: inout ByteWindow) throws(AudioError) -> Bool {
        let type = try window.fourCC(at: body)
        guard count >= 12, type == "INFO" || type == "adtl" else { return false }
        var items = ChunkReader(layout: reader.layout, offset: body + 4, end: end, remaining: reader.remaining)
        defer { reader.remaining = items.remaining }
        while let item = try items.next(in: &window) {
            if item.id != "ISFT", item.count > 0 { return true }
        }
        return false
    }
}
