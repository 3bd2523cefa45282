// `unsafe`: gives a reader memory to fill.

internal import Inputs
internal import MultipartBody

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reading a body of 64 MiB through a buffer, as when it is sent; the floor is reading the file or copying the bytes.
public enum MultipartJobs {
    private static let count = 64 << 20
    private static let bufferSize = 256 << 10

    /// From memory and from a file.
    public static func all() -> [Job] { [memory, file] }

    private static var memory: Job {
        Job(area: "Multipart", variant: "memory(64 MiB)", count: count, unit: .bytes) {
            let bytes = [UInt8](repeating: 0x55, count: count)
            return (try reading(.bytes(bytes)), copying(bytes))
        }
    }

    private static var file: Job {
        Job(area: "Multipart", variant: "file(64 MiB)", count: count, unit: .bytes) {
            let file = try Files.write([UInt8](repeating: 0x55, count: count), as: "part")
            let path = Array(file.path.utf8)
            let content = FileContent(path: path, version: try .init(ofFileAt: path))
            return (try reading(.file(content)), Floors.read(file))
        }
    }

    private static func reading(_ content: MultipartContent) throws -> Job.Task {
        let form = try MultipartForm(
            parts: [.file(name: "file", filename: "part", mediaType: "image/jpeg", content: content)])
        return {
            try unsafe withBuffer { buffer in
                var reader = form.makeReader()
                while reader.bytesRead < form.contentLength {
                    var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
                    try reader.read(into: &output)
                    _ = unsafe output.finalize(for: buffer)
                }
            }
        }
    }

    private static func copying(_ bytes: [UInt8]) -> Job.Task {
        return {
            unsafe withBuffer { buffer in
                unsafe bytes.withUnsafeBytes { source in
                    for start in stride(from: 0, to: source.count, by: bufferSize) {
                        unsafe buffer.copyMemory(
                            from: UnsafeRawBufferPointer(rebasing: source[start..<start + bufferSize]))
                    }
                }
            }
        }
    }

    private static func withBuffer(_ body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
        defer { unsafe memory.deallocate() }
        try unsafe body(memory)
    }
}
