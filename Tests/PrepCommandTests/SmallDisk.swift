#if os(Linux)
    import Foundation
    import Testing

    /// A file system in memory with little room, at `disk` in a workspace; gone with this object.
    final class SmallDisk {
        /// Whether this process may mount one.
        static let isPossible: Bool = {
            guard let workspace = try? Workspace() else { return false }
            return (try? SmallDisk(in: workspace, kilobytes: 64)) != nil
        }()

        /// Removed after it, since nothing that is mounted can be.
        private let workspace: Workspace
        private let path: String

        init(in workspace: Workspace, kilobytes: Int) throws {
            self.workspace = workspace
            path = workspace.file("disk").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path)
        }

        deinit { try? Self.run("umount", "-l", path) }

        /// Gives it more room, or less.
        func resize(kilobytes: Int) throws {
            try Self.run("mount", "-o", "remount,size=\(kilobytes)k", path)
        }

        private static func run(_ command: String...) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = command
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }
#endif
