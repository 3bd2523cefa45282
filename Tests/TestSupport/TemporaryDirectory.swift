package import Foundation

/// A directory that is removed with this object.
package final class TemporaryDirectory: Sendable {
    package let url: URL

    package init() throws {
        // By its real name: a temporary directory may be reached through a link.
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        url = parent.appending(path: "MediaPrep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Where a file of that name is, or would be.
    package func fileURL(named name: String) -> URL { url.appending(path: name) }

    /// Writes a file and tells where it is.
    package func writeFile(_ data: Data, named name: String) throws -> URL {
        try data.write(to: fileURL(named: name))
        return fileURL(named: name)
    }
}
