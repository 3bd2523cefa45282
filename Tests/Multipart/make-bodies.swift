// Writes bodies and their parts for compare.py: N.body and N.json.
//
//   make-bodies DIRECTORY SEED

import Foundation
import MultipartBody
import SystemSupport

/// The parts of a body in their order.
struct Description: Codable {
    struct Part: Codable {
        var name: String
        var filename: String?
        var type: String?
        /// Base64; for a field, its text before line ends are normalized.
        var content: Data
    }

    var contentType: String
    var length: Int64
    var parts: [Part] = []
}

/// SplitMix64.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

struct Maker {
    let directory: URL
    var generator: Generator
    private var count = 0

    init(directory: URL, seed: UInt64) {
        self.directory = directory
        generator = Generator(state: seed)
    }

    /// Writes one body. Every second file is read from the disk.
    mutating func make(_ parts: [Description.Part]) throws {
        count += 1
        let stem = directory.appending(path: "\(count)")
        let made = try parts.enumerated().map { index, part in
            guard let filename = part.filename else { return try field(part) }
            var content = MultipartContent.bytes(Array(part.content))
            if index.isMultiple(of: 2) {
                let source = stem.appendingPathExtension("\(index).source")
                try part.content.write(to: source)
                let path = Array(source.path.utf8)
                content = .file(FileContent(path: path, version: try FileVersion(ofFileAt: path)))
            }
            return MultipartPart.file(
                name: part.name, filename: filename, mediaType: part.type ?? "", content: content)
        }
        let form = try MultipartForm(parts: made)
        try form.write(toFile: Array(stem.appendingPathExtension("body").path.utf8))
        let description = Description(contentType: form.contentType, length: form.contentLength, parts: parts)
        try JSONEncoder().encode(description).write(to: stem.appendingPathExtension("json"))
    }

    private func field(_ part: Description.Part) throws -> MultipartPart {
        var field = MultipartPart.field(name: part.name, value: String(decoding: part.content, as: UTF8.self))
        field.mediaType = part.type
        return field
    }

    /// Returns a text of characters that need escapes.
    mutating func text(upTo limit: Int) -> String {
        let pieces = [
            "\"", "\r", "\n", "\r\n", "%", "%22", "x\\y", "x\\\\y", ";", "; filename=", "=", "'", " ", "-", "--", ":",
            "é",
            "歯",
            "👩🏽‍⚕️", "e\u{301}", "a", "Z", "0", ".jpg", "name", "*", "/", "..", "<", "&amp;", "\u{2028}", "\t",
        ]
        return (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }
        .joined()
    }

    /// Returns content with beginnings of boundaries.
    mutating func content() -> Data {
        let pieces = [
            Data("\r\n--".utf8), Data("\r\n".utf8), Data("--".utf8), Data("\r".utf8), Data([0]),
            Data(UInt8.min...UInt8.max),
            Data("Content-Disposition: form-data; name=\"x\"\r\n\r\n".utf8),
        ]
        let count = Int.random(in: 0...40, using: &generator)
        return (0..<count).reduce(into: Data()) { data, _ in data += pieces.randomElement(using: &generator) ?? Data() }
    }

    mutating func randomBody() throws {
        let types = ["image/jpeg", "audio/mp4", "text/plain;charset=utf-8", "application/octet-stream"]
        try make(
            (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                if Bool.random(using: &generator) {
                    let type = Bool.random(using: &generator) ? nil : "application/json"
                    return Description.Part(name: text(upTo: 12), type: type, content: Data(text(upTo: 30).utf8))
                }
                return Description.Part(
                    name: text(upTo: 12), filename: text(upTo: 12), type: types.randomElement(using: &generator),
                    content: content())
            })
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let seed = UInt64(arguments[2]) else { exit(64) }
var maker = Maker(directory: URL(filePath: arguments[1]), seed: seed)
print("seed \(seed)")

func field(_ name: String, _ value: String) -> Description.Part { .init(name: name, content: Data(value.utf8)) }
func file(_ name: String, _ filename: String, _ content: Data, type: String = "image/jpeg") -> Description.Part {
    .init(name: name, filename: filename, type: type, content: content)
}

let long = String(repeating: "n", count: 300)
let names = [
    "", "image", "say \"ah\"", "\"; filename=\"evil.sh", "a\rb", "a\nb", "a\r\nb", "a\n\rb",
    "\r\nX-Role: admin\r\n\r\n", "100%",
    "%22%0D%0A", "a\\b", "a\\\"b", "Zähne; 歯.jpg", "👩🏽‍⚕️🇩🇰", "e\u{301}", long, String(repeating: "\"", count: 300),
    String(repeating: "👄", count: 75), " spaces ", "C:/x", "../../x", "a=b; c=d", "'", "*", "name*=utf-8''x",
]
for name in names {
    try maker.make([file(name, name, Data("content".utf8)), field(name, "value"), field("value", name)])
}
// Empty files: one alone, one first and one last.
try maker.make([file("f", "empty", Data())])
try maker.make([file("f", "empty", Data()), file("g", "one", Data([0])), file("h", "empty", Data())])
try maker.make([field("f", "")])
// 40 parts; every third is a field.
try maker.make(
    (0..<40).map { number in
        if number.isMultiple(of: 3) { return field("n\(number % 5)", "\(number)") }
        return file("n\(number % 5)", "\(number).jpg", Data(repeating: UInt8(number), count: number * 100))
    })
// A part larger than any buffer, which begins and ends like a boundary.
var large = Data("\r\n--".utf8)
while large.count < 5 << 20 { large += maker.content() }
try maker.make([file("f", "large", large + Data("\r\n--".utf8)), field("f", "after")])
for _ in 0..<500 { try maker.randomBody() }
