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

/// All inputs of a run, in the order of their paths' bytes, and in little memory: of a hundred thousand, each takes 64
/// bytes and its path, where a value of `DiscoveredInput` takes some 300.
struct InputList: Sendable {
    private struct Entry {
        /// Where in `pathStorage` the path is, and the relative path, which mostly is its end.
        var pathRange: Range<UInt32>
        var relativePathRange: Range<UInt32>
        var fileStamp: FileStamp
        var deviceIndex: UInt32
        var permissions: UInt16
        var exists: Bool
        var isExplicitlyNamed: Bool
        var hasPlannedOutputName: Bool
    }

    private var entries: [Entry] = []
    private var pathStorage: [UInt8] = []
    private var deviceIDs: [UInt64] = []
    /// By where the path begins in `pathStorage`, which sorting doesn't change.
    private var rejectionReasonsByPathStart: [UInt32: ManifestDiagnostic] = [:]
    /// Whether all are sent to an endpoint that takes recordings alone.
    var endpointAcceptsOnlyAudio = false

    var count: Int { entries.count }

    /// The input at a position.
    subscript(index: Int) -> DiscoveredInput {
        let entry = entries[index]
        return DiscoveredInput(
            path: path(in: entry.pathRange), relativePath: path(in: entry.relativePathRange),
            isExplicitlyNamed: entry.isExplicitlyNamed,
            endpointAcceptsOnlyAudio: endpointAcceptsOnlyAudio, hasPlannedOutputName: entry.hasPlannedOutputName,
            fileStamp: entry.exists ? entry.fileStamp : nil,
            filePermissions: permissions(at: index),
            rejectionReason: rejectionReasonsByPathStart[entry.pathRange.lowerBound])
    }

    /// Bytes of the file at a position; 0 if there is none.
    func fileSize(at index: Int) -> Int { Int(entries[index].fileStamp.size) }

    /// Which file was found at a position; nil if there was none.
    func fileStamp(at index: Int) -> FileStamp? { entries[index].exists ? entries[index].fileStamp : nil }

    /// Who might read and write the file that was found at a position.
    func permissions(at index: Int) -> FilePermissions {
        FilePermissions(rawValue: CInterop.Mode(entries[index].permissions))
    }

    /// The path at a position.
    func pathBytes(at index: Int) -> ArraySlice<UInt8> { pathBytes(in: entries[index].pathRange) }

    /// The relative path at a position.
    func relativePathBytes(at index: Int) -> ArraySlice<UInt8> { pathBytes(in: entries[index].relativePathRange) }

    /// The names that the output of the one at a position may come to have.
    func possibleOutputNames(at index: Int) -> [[UInt8]] {
        let relative = relativePathBytes(at: index)
        if entries[index].hasPlannedOutputName { return [Array(relative)] }
        let recording = OutputNaming.audioOutputName(for: relative), image = OutputNaming.imageOutputName(for: relative)
        return image == recording ? [image] : [image, recording]
    }

    func isRejected(at index: Int) -> Bool { rejectionReasonsByPathStart[entries[index].pathRange.lowerBound] != nil }

    /// Whether one of the inputs is this file, by whatever path. Looks at all: for many files see `fileIdentities`.
    func containsFile(_ file: FileIdentity) -> Bool { entries.contains { $0.exists && identity(of: $0) == file } }

    /// The inputs that exist, as files, in order.
    var fileIdentities: [FileIdentity] { entries.filter(\.exists).map(identity).sorted() }

    private func identity(of entry: Entry) -> FileIdentity {
        FileIdentity(device: deviceIDs[Int(entry.deviceIndex)], inode: entry.fileStamp.inode)
    }

    /// Negative if the path at `a` comes before that at `b`, 0 if they are the same.
    ///
    /// By the system's `memcmp`: paths begin alike, and a loop over checked indices took 8% of a second run over
    /// 100,000.
    private static func comparePaths(in names: UnsafeRawBufferPointer, _ a: Range<UInt32>, _ b: Range<UInt32>) -> Int {
        guard let base = names.baseAddress else { return 0 }
        let order = unsafe memcmp(base + Int(a.lowerBound), base + Int(b.lowerBound), min(a.count, b.count))
        return order != 0 ? Int(order) : a.count - b.count
    }

    private func pathBytes(in range: Range<UInt32>) -> ArraySlice<UInt8> {
        pathStorage[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    private func path(in range: Range<UInt32>) -> FilePath {
        FilePath(bytes: Array(pathBytes(in: range))) ?? FilePath("")
    }
}

// MARK: - Making one

extension InputList {
    /// Adds an input.
    ///
    /// - Throws: if there are more than the list has room for: some forty million.
    mutating func add(
        path: [UInt8], relativePath: [UInt8], stat: Stat?, isExplicitlyNamed: Bool, hasPlannedOutputName: Bool = false,
        rejectionReason: ManifestDiagnostic? = nil
    ) throws(RunError) {
        let pathRange = try appendPath(path)
        let isSuffix = path.suffix(relativePath.count).elementsEqual(relativePath)
        let end = pathRange.upperBound
        let relativeRange = try isSuffix ? end - UInt32(relativePath.count)..<end : appendPath(relativePath)
        entries.append(
            Entry(
                pathRange: pathRange, relativePathRange: relativeRange,
                fileStamp: stat.map(FileStamp.init)
                    ?? FileStamp(size: 0, modifiedNanoseconds: 0, changedNanoseconds: 0, inode: 0),
                deviceIndex: stat.map { index(ofDevice: FileIdentity($0).device) } ?? 0,
                permissions: stat.map { UInt16(truncatingIfNeeded: $0.permissions.rawValue) } ?? 0, exists: stat != nil,
                isExplicitlyNamed: isExplicitlyNamed, hasPlannedOutputName: hasPlannedOutputName))
        rejectionReasonsByPathStart[pathRange.lowerBound] = rejectionReason
    }

    /// Puts all in order, and drops those whose path is there already.
    mutating func sortAndRemoveDuplicates() {
        // Of two alike the first that was added comes first.
        unsafe pathStorage.withUnsafeBytes { names in
            entries.sort {
                let order = unsafe Self.comparePaths(in: names, $0.pathRange, $1.pathRange)
                return order < 0 || order == 0 && $0.pathRange.lowerBound < $1.pathRange.lowerBound
            }
        }
        var kept = 0
        for index in entries.indices {
            if kept > 0,
                pathBytes(in: entries[kept - 1].pathRange).elementsEqual(pathBytes(in: entries[index].pathRange))
            {
                continue
            }
            entries[kept] = entries[index]
            kept += 1
        }
        entries.removeSubrange(kept...)
    }

    /// Refuses the input at a position.
    mutating func reject(at index: Int, reason: ManifestDiagnostic) {
        rejectionReasonsByPathStart[entries[index].pathRange.lowerBound] = reason
    }

    private mutating func appendPath(_ bytes: [UInt8]) throws(RunError) -> Range<UInt32> {
        guard let end = UInt32(exactly: pathStorage.count + bytes.count) else {
            throw RunError("there are too many inputs for one run: divide them with --shard")
        }
        pathStorage += bytes
        return end - UInt32(bytes.count)..<end
    }

    /// Few file systems take part in a run; from the 65,536th on they share a number, which only makes `containsFile`
    /// careful.
    private mutating func index(ofDevice device: UInt64) -> UInt32 {
        if let known = deviceIDs.lastIndex(of: device) { return UInt32(known) }
        deviceIDs.append(device)
        return UInt32(deviceIDs.count - 1)
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
