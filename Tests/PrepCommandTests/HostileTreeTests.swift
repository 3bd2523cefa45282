// `unsafe`: open, mkfifo and mknod take the addresses of paths, not all of which are UTF-8.

import SystemSupport

#if os(Linux)  // File systems of other platforms accept fewer names.
    import Foundation
    import TestSupport
    import Testing

    @testable import Batch

    @Suite("Hostile names and trees")
    struct HostileTreeTests {
        private func writeFile(_ data: Data, named name: [UInt8], in directory: URL) throws {
            let path = Array((directory.path + "/").utf8) + name
            let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o600)
            try #require(descriptor >= 0, "\(String(decoding: name, as: UTF8.self)): \(errno)")
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
        }

        private static let names: [[UInt8]] =
            [
                "new\nline.jpg", "\n", "\r\n.jpg", "tab\t.jpg", "\u{1B}]0;title\u{7}.jpg", "\u{9B}2J.jpg", "\u{7F}.jpg",
                "\u{202E}gpj.exe", "\u{2066}a\u{2069}.jpg", "-o.jpg", "--output", "*", "$(reboot).jpg", "`id`.jpg",
                "a b.jpg",
                "'.jpg", "\".jpg", "\\.jpg", "\\n.jpg", "%s%n.jpg", "~", "|cat.jpg",
                "</script>.jpg".replacing("/", with: "\u{2215}"),
                "\u{FEFF}.jpg", "\u{FFFD}.jpg", "\u{10FFFF}.jpg", "con.jpg", "a.", " ", "日本語.jpg",
            ].map { Array($0.utf8) } + [
                [0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xE9] + Array(".jpg".utf8), [0x80, 0x0A, 0x1B],
                Array(repeating: UInt8(ascii: "n"), count: 251) + Array(".jpg".utf8),
                Array(repeating: 0xFE, count: 251) + Array(".jpg".utf8),
            ]

        @Test(
            "Files of all valid names are prepared; the manifest has the exact names, no control character is printed")
        func hostileNamesAreExactAndEscaped() throws {
            let workspace = try TestWorkspace()
            let photo = try SmallImage.ear.get()
            try workspace.writeSmallImage(at: "in/plain.jpg")
            for name in Self.names { try writeFile(photo, named: name, in: workspace.fileURL(at: "in")) }
            // The output's name would have four bytes more than the limit of file systems.
            let longest = Array(repeating: UInt8(ascii: "m"), count: 255)
            try writeFile(photo, named: longest, in: workspace.fileURL(at: "in"))
            for round in 1...2 {
                let run = try workspace.runPrep("in", "--output", "out")
                #expect(run.exitStatus == 1)
                #expect(
                    run.standardError.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isInvisibleOrControl },
                    "\(run.standardError.debugDescription)")
                // The message, the summary and the line of its reason.
                #expect(run.standardError.count { $0 == "\n" } == 3, "\(run.standardError.debugDescription)")
                let lines = try workspace.manifestLines()
                let found = try lines.map { line in
                    try line.inputBase64.map { Array(try #require(Data(base64Encoded: $0))) } ?? Array(line.input.utf8)
                }
                let expected = (Self.names + [Array("plain.jpg".utf8), longest]).map { Array("in/".utf8) + $0 }
                #expect(Set(found) == Set(expected) && found.count == expected.count, "round \(round)")
                let failed = lines.filter { $0.verdict != "converted" }
                #expect(failed.map(\.input) == ["in/" + String(repeating: "m", count: 255)])
                #expect(failed.map(\.verdictAndReasonCodes) == ["failed unwritable"])
            }
            // A report and a merged manifest contain them as well.
            #expect(try workspace.runPrep("report", "out/manifest.jsonl", "--output", "page").exitStatus == 0)
            #expect(try ReportPageReader(try workspace.contents(ofFileAt: "page")).rows.count == Self.names.count + 2)
            #expect(try workspace.runPrep("merge", "out/manifest.jsonl", "--output", "merged").exitStatus == 0)
            #expect(try workspace.manifestLines(at: "merged").count == Self.names.count + 2)
        }

        @Test("A tree deeper than the longest path is prepared to that depth, and the rest is reported")
        func treeDeeperThanPathLimitIsPreparedPartially() throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "in/a.jpg")
            // 30 levels with names of 200 bytes; each has an image.
            try workspace.runShellScript(
                """
                photo=$PWD/in/a.jpg; name=$(printf %200s | tr ' ' d); cd in
                for level in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
                    mkdir $name && cd $name && cp "$photo" . || exit 1
                done
                """)
            defer { _ = try? workspace.runShellScript("rm -rf in out") }
            for options in [[], ["--follow"]] {
                let run = try PrepProcess(arguments: ["in", "--output", "out", "--force"] + options, in: workspace.url)
                #expect(run.exitStatus == 1)
                let lines = try workspace.manifestLines()
                #expect(lines.count { $0.verdictAndReasonCodes == "converted" } >= 18)
                let failed = lines.filter { $0.verdict != "converted" }
                #expect(
                    failed.contains { $0.verdictAndReasonCodes == "failed unreadable" && $0.input.utf8.count > 4000 })
                #expect(lines.count <= 23)
            }
        }

        @Test("Pipes, sockets and devices are not read and do not block, whatever their names")
        func specialFilesAreNeitherReadNorWaitedFor() throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "in/a.jpg")
            for name in ["pipe", "pipe.jpg"] {
                try #require(unsafe mkfifo(workspace.fileURL(at: "in/\(name)").path, 0o600) == 0)
            }
            for name in ["socket", "socket.wav"] {
                try #require(unsafe mknod(workspace.fileURL(at: "in/\(name)").path, S_IFSOCK | 0o600, 0) == 0)
            }
            for device in ["zero", "null", "full", "tty"] {
                try workspace.createSymbolicLink(at: "in/\(device).png", to: "/dev/\(device)")
            }
            let run = try workspace.runPrep("in", "--output", "out", "--follow")
            #expect(run.exitStatus == 1)
            let outcomes = try workspace.manifestLines().verdictsByInput
            #expect(
                outcomes.removingKey("in/tty.png") == [
                    "in/a.jpg": "converted", "in/pipe": "skipped not-a-regular-file",
                    "in/socket": "skipped not-a-regular-file",
                    "in/pipe.jpg": "rejected not-a-regular-file", "in/socket.wav": "rejected not-a-regular-file",
                    "in/zero.png": "rejected not-a-regular-file", "in/null.png": "rejected not-a-regular-file",
                    "in/full.png": "rejected not-a-regular-file",
                ])
            // A process without a terminal cannot open it.
            let terminal = try #require(outcomes["in/tty.png"])
            #expect(["rejected not-a-regular-file", "failed unreadable"].contains(terminal))
            let inspect = try workspace.runPrep("inspect", "in/pipe", "in/socket", "in/zero.png")
            #expect(inspect.exitStatus == 1)
        }

        @Test("Directories are visited in byte order of their paths; of equal paths, the first root's comes first")
        func directoryQueueOrdersByPathThenRoot() {
            var random = SplitMix64(seed: 14)
            var queue = DirectoryQueue(), expected: [[UInt8]] = []
            for root in 0..<2000 {
                let bytes: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "a"), 0xFF]
                let path = (0..<random.number(in: 1...6)).map { _ in bytes[random.number(in: 0...3)] }
                expected.append(path)
                queue.insert(
                    DirectoryQueue.Directory(
                        path: path, relativePath: nil, identity: FileIdentity(device: 0, inode: 0),
                        isReachedThroughLink: false,
                        rootIndex: root))
            }
            let order = expected.indices.sorted {
                expected[$0] == expected[$1] ? $0 < $1 : expected[$0].lexicographicallyPrecedes(expected[$1])
            }
            var found: [Int] = []
            while let next = queue.popFirst() { found.append(next.rootIndex) }
            #expect(found == order)
        }
    }

    extension [String: String] {
        fileprivate func removingKey(_ key: String) -> Self { filter { $0.key != key } }
    }
#endif
