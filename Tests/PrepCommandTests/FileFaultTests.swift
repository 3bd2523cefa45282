// `unsafe`: bind takes the address of an address.

import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Inputs of unexpected types, and inputs that change")
struct FileFaultTests {
    @Test("A file that is removed before it is read fails, and the rest is prepared")
    func vanishedInputFailsAndOthersArePrepared() throws {
        let workspace = try TestWorkspace()
        for number in 0..<60 { try workspace.writeSmallImage(at: "in/\(number).jpg") }
        // The smallest file is prepared last.
        try workspace.writeFile(try SmallImage.gray.get(), at: "in/last.jpg")
        let run = try PrepProcess(arguments: ["in", "--output", "out", "--jobs", "1"], in: workspace.url) { _ in
            // When the manifest exists, all inputs have been found.
            if workspace.fileExists(at: "out/manifest.jsonl") {
                try? FileManager.default.removeItem(at: workspace.fileURL(at: "in/last.jpg"))
            }
        }
        #expect(run.exitStatus == 1)
        let outcomes = try workspace.manifestLines().verdictsByInput
        #expect(outcomes["in/last.jpg"] == "failed unreadable")
        #expect(outcomes.values.count { $0 == "converted" } == 60)
    }

    @Test(
        "A file that is written to while it is read fails, and the next run tries it again",
        arguments: ["a.jpg", "a.wav"])
    func inputChangedWhileReadFailsAndIsRetried(_ name: String) throws {
        let workspace = try TestWorkspace()
        let media = try name == "a.jpg" ? SmallImage.ear.get() : makeWAV(makeToneSamples(amplitude: 0.5))
        // The file is long, so that reading takes a while.
        let file = try FileHandle(forUpdating: workspace.writeFile(media + Data(count: 32 << 20), at: "in/\(name)"))
        try file.seekToEnd()
        let isOver = Mutex(false)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) { try? file.write(contentsOf: Data([0])) }
            ended.signal()
        }
        var outcomes: [String: String] = [:]
        // On a busy machine, the thread may not run during that time.
        for _ in 0..<20 where outcomes.values.first != "failed changed-while-read" {
            try workspace.runShellScript("rm -rf out")
            _ = try workspace.runPrep("in", "--output", "out")
            outcomes = try workspace.manifestLines().verdictsByInput
        }
        isOver.withLock { $0 = true }
        ended.wait()
        #expect(outcomes == ["in/\(name)": "failed changed-while-read"])
        #expect(workspace.filePaths(below: "out") == ["manifest.jsonl"])

        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        #expect(workspace.fileExists(at: "out/\(name)"))
    }

    @Test(
        "A pipe or a device that is named is rejected without waiting for it", arguments: ["pipe.jpg", "/dev/null"])
    func namedPipeOrDeviceIsRejectedWithoutBlocking(_ path: String) throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "a.jpg")
        try workspace.runShellScript("mkfifo pipe.jpg")
        let run = try workspace.runPrep(path, "a.jpg", "--output", "out")
        #expect(run.exitStatus == 1)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                path: "rejected not-a-regular-file", "a.jpg": "converted",
            ])
    }

    @Test("A loop of symbolic links is not a file")
    func symbolicLinkLoopIsNotAFile() throws {
        let workspace = try TestWorkspace()
        try workspace.createSymbolicLink(at: "a.jpg", to: "b.jpg")
        try workspace.createSymbolicLink(at: "b.jpg", to: "a.jpg")
        #expect(try workspace.runPrep("a.jpg", "b.jpg", "--output", "out").exitStatus == 1)
        #expect(
            try workspace.manifestLines().verdictsByInput == [
                "a.jpg": "failed unreadable", "b.jpg": "failed unreadable",
            ])
    }

    @Test("Names of 255 bytes are valid; an output with a longer name cannot be written")
    func longestNamesWorkAndLongerOutputNamesFail() throws {
        let workspace = try TestWorkspace()
        let photo = String(repeating: "p", count: 251) + ".jpg"
        let other = String(repeating: "q", count: 251) + ".png"
        let sound = String(repeating: "s", count: 251) + ".wav"
        try workspace.writeSmallImage(at: "in/\(photo)", "in/\(other)")
        try workspace.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), at: "in/\(sound)")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 1)
        let outcomes = try workspace.manifestLines().verdictsByInput
        #expect(outcomes["in/\(photo)"] == "converted")
        #expect(outcomes["in/\(other)"] == "failed unwritable")
        #expect(outcomes["in/\(sound)"] == "accepted")
        #expect(workspace.filePaths(below: "out") == ["manifest.jsonl", photo, sound])
        #expect(try workspace.entryNames(in: "out/.prep") == ["ledger.sqlite"])
    }

    #if os(Linux)  // On other platforms a path has at most 1,024 bytes.
        @Test("A path of 4,000 bytes is valid")
        func longestPathIsPrepared() throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "a.jpg", "in/b.jpg")
            try workspace.runShellScript(
                """
                top=$PWD; name=$(printf 'd%.0s' $(seq 200)); mkdir o; cd in
                for i in $(seq 19); do mkdir $name; cd $name; done
                cp "$top/a.jpg" $(printf 'p%.0s' $(seq 170)).jpg
                # All but the last two: a debug build of swift-system takes seconds to make twenty in one another.
                cd "$top/o"; for i in $(seq 17); do mkdir $name; cd $name; done
                """)
            #expect(try workspace.runPrep("in", "--output", "o").exitStatus == 0)
            let lines = try workspace.manifestLines(inOutput: "o")
            #expect(lines.map(\.verdict) == ["converted", "converted"])
            #expect(lines.map(\.input.utf8.count).max() == 2 + 19 * 201 + 1 + 174)
            #expect(try workspace.runPrep("in", "--output", "o").standardError.contains("nothing to do"))
        }

        @Test("A path that is too long for the system is reported, and the rest is prepared")
        func tooLongPathIsReportedAndOthersPrepared() throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "a.jpg", "in/b.jpg")
            try workspace.runShellScript(
                """
                exec 3< a.jpg; name=$(printf 'd%.0s' $(seq 200)); cd in
                for i in $(seq 25); do mkdir $name; cd -P ./$name; done
                cat <&3 > a.jpg
                """)
            // Foundation cannot remove it.
            defer { _ = try? workspace.runShellScript("rm -rf in") }
            let run = try workspace.runPrep("in", "--output", "o")
            #expect(run.exitStatus == 1)
            #expect(
                try workspace.manifestLines(inOutput: "o").map(\.verdictAndReasonCodes) == [
                    "converted", "failed unreadable",
                ])
        }

        @Test("Arguments that are not UTF-8 name files and directories by their exact bytes")
        func nonUTF8ArgumentsNameExactFiles() throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "a.jpg")
            let run = try workspace.runShellScript(
                #"""
                name=$(printf 'caf\351'); mkdir "in$name"; cp a.jpg "in$name/$name.jpg"
                "$PREP" "in$name" --output "out$name" --manifest lines && test -f "out$name/$name.jpg" &&
                    test -f "out$name/.prep/ledger.sqlite" && "$PREP" "in$name" --output "out$name" --manifest lines
                """#)
            #expect(run.exitStatus == 0)
            #expect(run.standardError.contains("nothing to do: all was done before"))
            let line = try #require(try workspace.manifestLines(at: "lines").first)
            #expect(line.input == "incaf\u{FFFD}/caf\u{FFFD}.jpg")
            #expect(
                line.inputBase64
                    == Data(Array("incaf".utf8) + [0xE9] + Array("/caf".utf8) + [0xE9] + Array(".jpg".utf8))
                    .base64EncodedString())
            #expect(line.output == "caf\u{FFFD}.jpg")
        }

        @Test("Lists hold names of any bytes but line feeds; with -0, of any bytes")
        func inputListsAcceptAnyBytes() throws {
            let workspace = try TestWorkspace()
            try workspace.writeSmallImage(at: "a.jpg")
            let run = try workspace.runShellScript(
                #"""
                odd=$(printf 'in/caf\351.jpg'); line=$(printf 'in/two\nlines.jpg')
                mkdir in; cp a.jpg "$odd"; cp a.jpg "$line"
                printf '%s\n' "$odd" > list; printf '%s\0' "$odd" "$line" > list0
                "$PREP" --files-from list -o out1 -q && test -f "out1/$odd" &&
                    "$PREP" --files-from - -0 -o out2 -q < list0 && test -f "out2/$odd" && test -f "out2/$line"
                """#)
            #expect(run.exitStatus == 0)
            #expect(try workspace.manifestLines(inOutput: "out1").count == 1)
            #expect(
                try workspace.manifestLines(inOutput: "out2").map(\.input) == [
                    "in/caf\u{FFFD}.jpg", "in/two\nlines.jpg",
                ])
        }

        @Test("A socket is treated in the same way")
        func namedSocketIsRejectedWithoutBlocking() throws {
            let workspace = try TestWorkspace()
            try makeSocket(at: workspace.fileURL(at: "a.jpg").path)
            #expect(try workspace.runPrep("a.jpg", "--output", "out").exitStatus == 1)
            #expect(try workspace.manifestLines().verdictsByInput == ["a.jpg": "rejected not-a-regular-file"])
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
