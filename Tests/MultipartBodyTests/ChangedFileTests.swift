// `unsafe`: mkfifo and its like, and memory to read into.

import Foundation
import MultipartBody
import SystemSupport
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("A file that is not the one that was prepared is never sent completely")
struct ChangedFileTests {
    private let directory: TemporaryDirectory
    private let file: URL
    private let original = patternBytes(count: 10_000)

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.writeBytes(original)
    }

    /// A change of a file.
    enum Change: String, CaseIterable {
        case truncated, emptied, grown, edited, touched, editedAtSameTime, replaced, replacedByTwin, removed
        case directory, pipe, otherLink, withoutDirectory

        /// The changes that the file's version does not show.
        static let seenByCheckAlone: Set<Change> = [.editedAtSameTime]
    }

    private func apply(_ change: Change) throws {
        let old = try FileVersion(ofFileAt: file.pathBytes)
        let twin = directory.url.appending(path: "twin")
        let files = FileManager.default
        switch change {
        case .truncated: precondition(unsafe truncate(file.path, 9_999) == 0)
        case .emptied: precondition(unsafe truncate(file.path, 0) == 0)
        case .grown:
            try file.overwrite(at: original.count, with: [1])
            file.setModificationTime(old.modifiedNanoseconds)
        case .edited:
            try file.overwrite(at: 9_000, with: [~original[9_000]])
            file.setModificationTime(old.modifiedNanoseconds + 1)
        case .touched: file.setModificationTime(old.modifiedNanoseconds + 1)
        case .editedAtSameTime:
            try file.overwrite(at: 9_999, with: [~original[9_999]])
            file.setModificationTime(old.modifiedNanoseconds)
        case .replaced, .replacedByTwin:
            try Data(change == .replaced ? patternBytes(count: 9) : original).write(to: twin)
            twin.setModificationTime(old.modifiedNanoseconds)
            precondition(unsafe rename(twin.path, file.path) == 0)
        case .removed: try files.removeItem(at: file)
        case .directory:
            try files.removeItem(at: file)
            try files.createDirectory(at: file, withIntermediateDirectories: false)
        case .pipe:
            try files.removeItem(at: file)
            precondition(unsafe mkfifo(file.path, 0o600) == 0)
        case .otherLink:
            try Data(original).write(to: twin)
            try files.removeItem(at: file)
            try files.createSymbolicLink(at: file, withDestinationURL: twin)
        case .withoutDirectory:
            try files.removeItem(at: directory.url)
            try Data().write(to: directory.url)
        }
    }

    private func makeBody(check: Bool = true) throws -> MultipartForm {
        var content = try file.fileContent { [original] in ExpectedBytes(original) }
        if !check { content.makeVerifier = nil }
        return try MultipartForm(
            parts: [
                .file(name: "f", filename: "image.jpg", mediaType: "image/jpeg", content: .file(content)),
                .field(name: "n", value: "v"),
            ],
            boundary: "b")
    }

    /// The number of bytes of the body before its file.
    private func header(_ body: MultipartForm) -> Int {
        Int(body.contentLength) - "\r\n--b--\r\n".utf8.count - original.count
    }

    /// Reads until the expected error.
    private func expectChanged(_ reader: inout MultipartFormReader, _ body: MultipartForm, capacity: Int) throws {
        var failure: MultipartError?
        do {
            _ = try reader.readRest(capacity: capacity)
        } catch {
            failure = error
        }
        let error = try #require(failure)
        #expect(error.code == .sourceChanged)
        #expect(!"\(error)".contains("patient") && !"\(error)".contains("MultipartBodyTests"))
        #expect(reader.bytesRead < header(body) + original.count)
        // Later calls throw the same error.
        do {
            let more = try reader.readNext(capacity: 1)
            Issue.record("read on: \(more)")
        } catch {
            #expect(error.code == .sourceChanged)
        }
    }

    @Test("Changed before its first byte", arguments: Change.allCases, [1, 4096, 1 << 20])
    func changeBeforeFirstByteIsDetected(change: Change, capacity: Int) throws {
        let body = try makeBody()
        try apply(change)
        var reader = body.makeReader()
        try expectChanged(&reader, body, capacity: capacity)
        if !Change.seenByCheckAlone.contains(change) { #expect(reader.bytesRead <= header(body)) }
    }

    @Test("Changed after its first byte", arguments: Change.allCases, [1, 4096, 1 << 20])
    func changeAfterFirstByteIsDetected(change: Change, capacity: Int) throws {
        let body = try makeBody()
        var reader = body.makeReader()
        _ = try reader.readNext(capacity: header(body) + 1)
        try apply(change)
        try expectChanged(&reader, body, capacity: capacity)
    }

    @Test(
        "Reading a file that is written to fails at once, not at its end",
        arguments: [Change.truncated, .grown, .edited, .touched])
    func changeWhileReadingEndsImmediately(change: Change) throws {
        let body = try makeBody()
        var reader = body.makeReader()
        _ = try reader.readNext(capacity: header(body) + 1)
        try apply(change)
        do {
            _ = try reader.readNext(capacity: 10)
            Issue.record("read on")
        } catch {
            #expect(error.code == .sourceChanged)
        }
    }

    @Test("Changed before its last byte", arguments: Change.allCases)
    func changeBeforeLastByteIsDetected(change: Change) throws {
        let body = try makeBody()
        var reader = body.makeReader()
        _ = try reader.readNext(capacity: header(body) + original.count - 1)
        try apply(change)
        try expectChanged(&reader, body, capacity: 1)
    }

    @Test("A call that throws appends nothing", arguments: [Change.truncated, .editedAtSameTime])
    func throwingReadAppendsNothing(change: Change) throws {
        let body = try makeBody()
        try apply(change)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 20_000, alignment: 1)
        defer { unsafe memory.deallocate() }
        var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
        output.append(0x3E)
        var reader = body.makeReader()
        do {
            try reader.read(into: &output)
            Issue.record("read whole")
        } catch {
            #expect(error.code == .sourceChanged)
        }
        #expect(unsafe output.finalize(for: memory) == 1)
        #expect(reader.bytesRead == 0)
    }

    @Test("Only a digest detects an edit of the same size with a restored time", arguments: [true, false])
    func sameSizeEditWithRestoredTimeNeedsContentCheck(isChecked: Bool) throws {
        let body = try makeBody(check: isChecked)
        var reader = body.makeReader()
        _ = try reader.readNext(capacity: header(body) + 1)
        try apply(.editedAtSameTime)
        if isChecked {
            try expectChanged(&reader, body, capacity: 4096)
        } else {
            #expect(try reader.readRest(capacity: 4096).count == body.contentLength - Int64(header(body)) - 1)
        }
    }

    @Test("A file that was empty and is not empty any more", arguments: [true, false])
    func fileNoLongerEmptyIsDetected(isTimeKept: Bool) throws {
        let empty = try directory.writeBytes([], named: "empty")
        let content = try empty.fileContent()
        let body = try MultipartForm(parts: [.file(name: "f", filename: "f", mediaType: "a/b", content: .file(content))]
        )
        #expect(try body.allBytes().count == body.contentLength)
        try empty.overwrite(at: 0, with: [1])
        if isTimeKept { empty.setModificationTime(content.version.modifiedNanoseconds) }
        let error = #expect(throws: MultipartError.self) { try body.allBytes() }
        #expect(error?.code == .sourceChanged)
    }

    @Test("A body can be read again after a file is restored")
    func restoredFileCanBeReadAgain() throws {
        let body = try makeBody()
        let whole = try body.allBytes()
        let aside = directory.url.appending(path: "aside")
        try FileManager.default.moveItem(at: file, to: aside)
        #expect(throws: MultipartError.self) { try body.allBytes() }
        try FileManager.default.moveItem(at: aside, to: file)
        #expect(try body.allBytes() == whole)
    }

    @Test("A file that can't be opened is unreadable, not changed")
    func unopenableFileIsUnreadableNotChanged() throws {
        var content = try file.fileContent()
        content.path = file.pathBytes + [UInt8](repeating: 0x78, count: 300)
        let body = try MultipartForm(parts: [.file(name: "f", filename: "f", mediaType: "a/b", content: .file(content))]
        )
        let error = #expect(throws: MultipartError.self) { try body.allBytes() }
        #expect(error?.code == .sourceUnreadable)
        #expect(error?.systemError == ENAMETOOLONG)
        #expect(error?.description.contains("patient") == false)
    }

    @Test("A path that contains a zero byte does not name the file before it")
    func pathWithZeroByteIsRejected() throws {
        var content = try file.fileContent()
        content.path += [0, 0x78]
        let body = try MultipartForm(parts: [.file(name: "f", filename: "f", mediaType: "a/b", content: .file(content))]
        )
        #expect(throws: MultipartError.self) { try body.allBytes() }
        #expect(throws: MultipartError.self) { try FileVersion(ofFileAt: content.path) }
    }

    @Test("A missing file has no version", arguments: [Change.removed, .directory, .pipe, .withoutDirectory])
    func nonRegularFileHasNoVersion(change: Change) throws {
        try apply(change)
        let error = #expect(throws: MultipartError.self) { try FileVersion(ofFileAt: file.pathBytes) }
        #expect(error?.code == .sourceUnreadable)
        #expect(error?.description.contains("patient") == false)
    }
}
