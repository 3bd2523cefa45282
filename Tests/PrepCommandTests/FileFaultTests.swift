// `unsafe`: bind takes the address of an address.

import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Inputs that are not what they seem, or don't stay what they are")
struct FileFaultTests {
    @Test("A file that vanishes before its turn has failed, and the rest is done")
    func vanishes() throws {
        let workspace = try Workspace()
        for number in 0..<60 { try workspace.writePhotos("in/\(number).jpg") }
        // The smallest is last.
        try workspace.write(try SmallPhoto.gray.get(), "in/last.jpg")
        let run = try PrepProcess(["in", "--output", "out", "--jobs", "1"], in: workspace.url) { _ in
            // All inputs have been found once the manifest is there.
            if workspace.exists("out/manifest.jsonl") {
                try? FileManager.default.removeItem(at: workspace.file("in/last.jpg"))
            }
        }
        #expect(run.status == 1)
        let outcomes = try workspace.manifest().outcomes
        #expect(outcomes["in/last.jpg"] == "failed unreadable")
        #expect(outcomes.values.count { $0 == "converted" } == 60)
    }

    @Test("A file that is written to while it is read has failed, and is tried again", arguments: ["a.jpg", "a.wav"])
    func changes(_ name: String) throws {
        let workspace = try Workspace()
        let media = try name == "a.jpg" ? SmallPhoto.ear.get() : wave(tone(0.5))
        // With so much behind it that reading takes a while.
        let file = try FileHandle(forUpdating: workspace.write(media + Data(count: 32 << 20), "in/\(name)"))
        try file.seekToEnd()
        let isOver = Mutex(false)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) { try? file.write(contentsOf: Data([0])) }
            ended.signal()
        }
        var outcomes: [String: String] = [:]
        // On a machine that is busy elsewhere the thread may sleep all the while.
        for _ in 0..<20 where outcomes.values.first != "failed changed-while-read" {
            try workspace.shell("rm -rf out")
            _ = try workspace.prep("in", "--output", "out")
            outcomes = try workspace.manifest().outcomes
        }
        isOver.withLock { $0 = true }
        ended.wait()
        #expect(outcomes == ["in/\(name)": "failed changed-while-read"])
        #expect(workspace.files(below: "out") == ["manifest.jsonl"])

        #expect(try workspace.prep("in", "--output", "out").status == 0)
        #expect(workspace.exists("out/\(name)"))
    }

    @Test(
        "A pipe or a device that is named is rejected, and nothing waits for it", arguments: ["pipe.jpg", "/dev/null"])
    func special(_ path: String) throws {
        let workspace = try Workspace()
        try workspace.writePhotos("a.jpg")
        try workspace.shell("mkfifo pipe.jpg")
        let run = try workspace.prep(path, "a.jpg", "--output", "out")
        #expect(run.status == 1)
        #expect(try workspace.manifest().outcomes == [path: "rejected not-a-regular-file", "a.jpg": "converted"])
    }

    @Test("Links that lead around in a circle are no file")
    func loop() throws {
        let workspace = try Workspace()
        try workspace.link("a.jpg", to: "b.jpg")
        try workspace.link("b.jpg", to: "a.jpg")
        #expect(try workspace.prep("a.jpg", "b.jpg", "--output", "out").status == 1)
        #expect(
            try workspace.manifest().outcomes == ["a.jpg": "failed unreadable", "b.jpg": "failed unreadable"])
    }

    @Test("Names of 255 bytes are names; an output whose name would be longer can't be written")
    func longNames() throws {
        let workspace = try Workspace()
        let photo = String(repeating: "p", count: 251) + ".jpg"
        let other = String(repeating: "q", count: 251) + ".png"
        let sound = String(repeating: "s", count: 251) + ".wav"
        try workspace.writePhotos("in/\(photo)", "in/\(other)")
        try workspace.write(wave(tone(0.5)), "in/\(sound)")
        #expect(try workspace.prep("in", "--output", "out").status == 1)
        let outcomes = try workspace.manifest().outcomes
        #expect(outcomes["in/\(photo)"] == "converted")
        #expect(outcomes["in/\(other)"] == "failed unwritable")
        #expect(outcomes["in/\(sound)"] == "accepted")
        #expect(workspace.files(below: "out") == ["manifest.jsonl", photo, sound])
        #expect(try workspace.names(in: "out/.prep") == ["ledger.sqlite"])
    }

    #if os(Linux)  // Elsewhere a path has 1,024 bytes.
        @Test("A path of 4,000 bytes is a path like any other")
        func longPath() throws {
            let workspace = try Workspace()
            try workspace.writePhotos("a.jpg", "in/b.jpg")
            try workspace.shell(
                """
                top=$PWD; name=$(printf 'd%.0s' $(seq 200)); mkdir o; cd in
                for i in $(seq 19); do mkdir $name; cd $name; done
                cp "$top/a.jpg" $(printf 'p%.0s' $(seq 170)).jpg
                # All but the last two: a debug build of swift-system takes seconds to make twenty in one another.
                cd "$top/o"; for i in $(seq 17); do mkdir $name; cd $name; done
                """)
            #expect(try workspace.prep("in", "--output", "o").status == 0)
            let lines = try workspace.manifest("o")
            #expect(lines.map(\.verdict) == ["converted", "converted"])
            #expect(lines.map(\.input.utf8.count).max() == 2 + 19 * 201 + 1 + 174)
            #expect(try workspace.prep("in", "--output", "o").errors.contains("nothing to do"))
        }

        @Test("A path that is too long for the system is told of, and the rest is done")
        func tooLongPath() throws {
            let workspace = try Workspace()
            try workspace.writePhotos("a.jpg", "in/b.jpg")
            try workspace.shell(
                """
                exec 3< a.jpg; name=$(printf 'd%.0s' $(seq 200)); cd in
                for i in $(seq 25); do mkdir $name; cd -P ./$name; done
                cat <&3 > a.jpg
                """)
            // Foundation would not remove it.
            defer { _ = try? workspace.shell("rm -rf in") }
            let run = try workspace.prep("in", "--output", "o")
            #expect(run.status == 1)
            #expect(try workspace.manifest("o").map(\.outcome) == ["converted", "failed unreadable"])
        }

        @Test("Arguments of bytes that are not UTF-8 are the files and directories of those bytes")
        func bytesAsArguments() throws {
            let workspace = try Workspace()
            try workspace.writePhotos("a.jpg")
            let run = try workspace.shell(
                #"""
                name=$(printf 'caf\351'); mkdir "in$name"; cp a.jpg "in$name/$name.jpg"
                "$PREP" "in$name" --output "out$name" --manifest lines && test -f "out$name/$name.jpg" &&
                    test -f "out$name/.prep/ledger.sqlite" && "$PREP" "in$name" --output "out$name" --manifest lines
                """#)
            #expect(run.status == 0)
            #expect(run.errors.contains("nothing to do: all was done before"))
            let line = try #require(try workspace.lines("lines").first)
            #expect(line.input == "incaf\u{FFFD}/caf\u{FFFD}.jpg")
            #expect(
                line.inputBase64
                    == Data(Array("incaf".utf8) + [0xE9] + Array("/caf".utf8) + [0xE9] + Array(".jpg".utf8))
                    .base64EncodedString())
            #expect(line.output == "caf\u{FFFD}.jpg")
        }

        @Test("Lists hold names of any bytes but a line's end; with -0, of any bytes at all")
        func bytesInLists() throws {
            let workspace = try Workspace()
            try workspace.writePhotos("a.jpg")
            let run = try workspace.shell(
                #"""
                odd=$(printf 'in/caf\351.jpg'); line=$(printf 'in/two\nlines.jpg')
                mkdir in; cp a.jpg "$odd"; cp a.jpg "$line"
                printf '%s\n' "$odd" > list; printf '%s\0' "$odd" "$line" > list0
                "$PREP" --files-from list -o out1 -q && test -f "out1/$odd" &&
                    "$PREP" --files-from - -0 -o out2 -q < list0 && test -f "out2/$odd" && test -f "out2/$line"
                """#)
            #expect(run.status == 0)
            #expect(try workspace.manifest("out1").count == 1)
            #expect(try workspace.manifest("out2").map(\.input) == ["in/caf\u{FFFD}.jpg", "in/two\nlines.jpg"])
        }

        @Test("So is a socket")
        func socketNamed() throws {
            let workspace = try Workspace()
            try makeSocket(at: workspace.file("a.jpg").path)
            #expect(try workspace.prep("a.jpg", "--output", "out").status == 1)
            #expect(try workspace.manifest().outcomes == ["a.jpg": "rejected not-a-regular-file"])
        }

        private func makeSocket(at path: String) throws {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let name = Array(path.utf8) + [0]
            try #require(name.count <= MemoryLayout.size(ofValue: address.sun_path))
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
            let status = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(status == 0)
        }
    #endif
}
