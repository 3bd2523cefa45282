// `unsafe`: compares paths where they lie, by memcmp.

internal import Ledger
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// All inputs of a run, in the order of their paths' bytes, and in little memory: of a hundred thousand, each takes 64 bytes and
/// its path, where a value of `Input` takes some 300.
struct InputList: Sendable {
    private struct Entry {
        /// Where in `names` the path is, and the relative path, which mostly is its end.
        var path: Range<UInt32>
        var relative: Range<UInt32>
        var stamp: FileStamp
        var device: UInt16
        var permissions: UInt16
        var exists: Bool
        var isNamed: Bool
        var isPlanned: Bool
    }

    private var entries: [Entry] = []
    private var names: [UInt8] = []
    private var devices: [UInt64] = []
    /// By where the path begins in `names`, which sorting doesn't change.
    private var refusals: [UInt32: Reason] = [:]
    /// Whether all are sent to an endpoint that takes recordings alone.
    var areForAudio = false

    var count: Int { entries.count }

    /// The input at a position.
    subscript(index: Int) -> Input {
        let entry = entries[index]
        return Input(
            path: path(entry.path), relativePath: path(entry.relative), isNamed: entry.isNamed,
            isForAudio: areForAudio, isPlanned: entry.isPlanned,
            stamp: entry.exists ? entry.stamp : nil,
            permissions: permissions(at: index),
            refusal: refusals[entry.path.lowerBound])
    }

    /// Bytes of the file at a position; 0 if there is none.
    func size(at index: Int) -> Int { Int(entries[index].stamp.size) }

    /// Which file was found at a position; nil if there was none.
    func stamp(at index: Int) -> FileStamp? { entries[index].exists ? entries[index].stamp : nil }

    /// Who might read and write the file that was found at a position.
    func permissions(at index: Int) -> FilePermissions {
        FilePermissions(rawValue: CInterop.Mode(entries[index].permissions))
    }

    /// The path at a position.
    func pathBytes(at index: Int) -> ArraySlice<UInt8> { bytes(entries[index].path) }

    /// The relative path at a position.
    func relativeBytes(at index: Int) -> ArraySlice<UInt8> { bytes(entries[index].relative) }

    /// The names that the output of the one at a position may come to have.
    func outputs(at index: Int) -> [[UInt8]] {
        let relative = relativeBytes(at: index)
        if entries[index].isPlanned { return [Array(relative)] }
        let recording = OutputName.recording(for: relative), image = OutputName.image(for: relative)
        return image == recording ? [image] : [image, recording]
    }

    func isRefused(at index: Int) -> Bool { refusals[entries[index].path.lowerBound] != nil }

    /// Whether one of the inputs is this file, by whatever path. Looks at all: for many files see `files`.
    func contains(_ file: FileIdentity) -> Bool { entries.contains { $0.exists && identity($0) == file } }

    /// The inputs that exist, as files, in order.
    var files: [FileIdentity] { entries.filter(\.exists).map(identity).sorted() }

    private func identity(_ entry: Entry) -> FileIdentity {
        FileIdentity(device: devices[Int(entry.device)], inode: entry.stamp.inode)
    }

    /// Negative if the path at `a` comes before that at `b`, 0 if they are the same.
    ///
    /// By the system's `memcmp`: paths begin alike, and a loop over checked indices took 8% of a second run over 100,000.
    private static func compare(_ names: UnsafeRawBufferPointer, _ a: Range<UInt32>, _ b: Range<UInt32>) -> Int {
        guard let base = names.baseAddress else { return 0 }
        let order = unsafe memcmp(base + Int(a.lowerBound), base + Int(b.lowerBound), min(a.count, b.count))
        return order != 0 ? Int(order) : a.count - b.count
    }

    private func bytes(_ range: Range<UInt32>) -> ArraySlice<UInt8> {
        names[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    private func path(_ range: Range<UInt32>) -> FilePath { FilePath(bytes: Array(bytes(range))) ?? FilePath("") }
}

// MARK: - Making one

extension InputList {
    /// Adds an input.
    ///
    /// - Throws: if there are more than the list has room for: some forty million.
    mutating func add(
        path: [UInt8], relative: [UInt8], _ stat: Stat?, isNamed: Bool, isPlanned: Bool = false, refusal: Reason? = nil
    ) throws(RunError) {
        let pathRange = try append(path)
        let isSuffix = path.suffix(relative.count).elementsEqual(relative)
        let end = pathRange.upperBound
        let relativeRange = try isSuffix ? end - UInt32(relative.count)..<end : append(relative)
        entries.append(
            Entry(
                path: pathRange, relative: relativeRange,
                stamp: stat.map(FileStamp.init)
                    ?? FileStamp(size: 0, modifiedNanoseconds: 0, changedNanoseconds: 0, inode: 0),
                device: stat.map { number(ofDevice: FileIdentity($0).device) } ?? 0,
                permissions: stat.map { UInt16(truncatingIfNeeded: $0.permissions.rawValue) } ?? 0, exists: stat != nil,
                isNamed: isNamed, isPlanned: isPlanned))
        refusals[pathRange.lowerBound] = refusal
    }

    /// Puts all in order, and drops those whose path is there already.
    mutating func arrange() {
        // Of two alike the first that was added comes first.
        unsafe names.withUnsafeBytes { names in
            entries.sort {
                let order = unsafe Self.compare(names, $0.path, $1.path)
                return order < 0 || order == 0 && $0.path.lowerBound < $1.path.lowerBound
            }
        }
        var kept = 0
        for index in entries.indices {
            if kept > 0, bytes(entries[kept - 1].path).elementsEqual(bytes(entries[index].path)) { continue }
            entries[kept] = entries[index]
            kept += 1
        }
        entries.removeSubrange(kept...)
    }

    /// Refuses the input at a position.
    mutating func refuse(at index: Int, _ reason: Reason) { refusals[entries[index].path.lowerBound] = reason }

    private mutating func append(_ bytes: [UInt8]) throws(RunError) -> Range<UInt32> {
        guard let end = UInt32(exactly: names.count + bytes.count) else {
            throw RunError("there are too many inputs for one run: divide them with --shard")
        }
        names += bytes
        return end - UInt32(bytes.count)..<end
    }

    /// Few file systems take part in a run; from the 65,536th on they share a number, which only makes `contains` careful.
    private mutating func number(ofDevice device: UInt64) -> UInt16 {
        if let known = devices.lastIndex(of: device) { return UInt16(known) }
        if devices.count <= UInt16.max { devices.append(device) }
        return UInt16(devices.count - 1)
    }
}

extension FileStamp {
    init(_ stat: Stat) {
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        self.init(
            size: stat.size, modifiedNanoseconds: nanoseconds(stat.st_mtim),
            changedNanoseconds: nanoseconds(stat.st_ctim),
            inode: UInt64(truncatingIfNeeded: stat.inode.rawValue))
    }
}
