import CDecoderProcess
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

#if os(Linux) || os(macOS)
    @Suite("The host of a worker kills only its own child")
    struct DecoderProcessTests {
        @Test("A process that is not a child of the host is not killed, because its number may be reused")
        func foreignProcessIsNotKilled() throws {
            let shell = Process(), input = Pipe(), output = Pipe()
            shell.executableURL = URL(filePath: "/bin/sh")
            // The child of the shell repeats a line. It is not a child of this process.
            shell.arguments = ["-c", #"exec 3<&0; (read line <&3; echo "$line") & echo $!"#]
            (shell.standardInput, shell.standardOutput) = (input, output)
            try shell.run()
            func readText() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }
            let process = try #require(Int32(readText().dropLast()))
            let worker = prep_worker(pid: process, socket: dup(output.fileHandleForReading.fileDescriptor))
            #expect(prep_worker_has_ended(worker))
            let end = prep_worker_destroy(worker, 0)
            #expect(end.signal == 0 && end.status == 0)
            try input.fileHandleForWriting.write(contentsOf: Data("alive\n".utf8))
            #expect(readText() == "alive\n")
            shell.waitUntilExit()
        }
    }
#endif
