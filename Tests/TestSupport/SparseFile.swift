package import Foundation

/// A file that claims any size and takes almost no space, removed with this object.
package final class SparseFile: Sendable {
    package let url: URL
    /// Bytes that it claims: those asked for, or as many as the file system allows.
    package let byteCount: Int

    /// `bytes`, and zeros behind them up to `byteCount`.
    package init(prefix bytes: [UInt8], byteCount: Int) throws {
        // tmpfs allows every size; ext4 none above 2^44 bytes.
        let memory = URL(filePath: "/dev/shm")
        let hasMemory = FileManager.default.isWritableFile(atPath: memory.path)
        let parent = hasMemory ? memory : FileManager.default.temporaryDirectory
        url = parent.appending(path: "MediaPrep-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        var byteCount = byteCount
        while (try? handle.truncate(atOffset: UInt64(byteCount))) == nil, byteCount > 1 << 32 { byteCount >>= 1 }
        self.byteCount = byteCount
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
