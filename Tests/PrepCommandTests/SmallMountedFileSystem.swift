#if os(Linux)
    import Foundation
    import Testing

    /// A small file system in memory, mounted at `disk` in a workspace. It is unmounted with this object.
    final class SmallMountedFileSystem {
        /// Whether this process may mount a file system.
        static let isPossible: Bool = {
            guard let workspace = try? TestWorkspace() else { return false }
            return (try? SmallMountedFileSystem(in: workspace, kilobytes: 64)) != nil
        }()

        /// The workspace, which is removed only after unmounting, because a mount point cannot be removed.
        private let workspace: TestWorkspace
        private let path: String

        init(in workspace: TestWorkspace, kilobytes: Int) throws {
            self.workspace = workspace
            path = workspace.fileURL(at: "disk").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Self.runCommand("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path)
        }

        deinit { try? Self.runCommand("umount", "-l", path) }

        /// Changes its size.
        func resize(kilobytes: Int) throws {
            try Self.runCommand("mount", "-o", "remount,size=\(kilobytes)k", path)
        }

        private static func runCommand(_ command: String...) throws {
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
