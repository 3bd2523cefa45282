// `unsafe`: compares paths in place with memcmp.

internal import Diagnostics
internal import Ledger
internal import SystemPackage
internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// All inputs of a run, in the byte order of their paths.
///
/// The list is compact, because a run may have 100,000 inputs: an input takes 64 bytes and its path, whereas a
/// `DiscoveredInput` takes about 300 bytes.
package struct InputList: Sendable {
    private struct Entry {
        /// The range of the path in `pathStorage`. The relative path is usually a suffix of it.
        var pathRange: Range<UInt32>
        var relativePathRange: Range<UInt32>
        var fileVersion: FileVersion
        var deviceIndex: UInt32
        var permissions: UInt16
        var exists: Bool
        var isExplicitlyNamed: Bool
        var hasPlannedOutputName: Bool
        var isLivePhotoVideo = false
    }

    private var entries: [Entry] = []
    private var pathStorage: [UInt8] = []
    private var deviceIDs: [UInt64] = []
    /// The rejection reasons, keyed by the start of the path in `pathStorage`. Sorting does not change that start.
    private var rejectionReasonsByPathStart: [UInt32: Diagnostic] = [:]
    /// The starts of the paths of inputs whose outputs must not replace a file.
    private var protectedOutputPathStarts: Set<UInt32> = []
    /// Whether the output directory is below a directory that was searched. It was not searched itself.
    var surroundOutputDirectory = false
    /// Whether the endpoint accepts only audio.
    package var endpointAcceptsOnlyAudio = false

    package var count: Int { entries.count }

    /// The input at `index`.
    subscript(index: Int) -> DiscoveredInput {
        let entry = entries[index]
        return DiscoveredInput(
            path: path(in: entry.pathRange), relativePath: path(in: entry.relativePathRange),
            isExplicitlyNamed: entry.isExplicitlyNamed,
            endpointAcceptsOnlyAudio: endpointAcceptsOnlyAudio, hasPlannedOutputName: entry.hasPlannedOutputName,
            isLivePhotoVideo: entry.isLivePhotoVideo, fileVersion: entry.exists ? entry.fileVersion : nil,
            filePermissions: permissions(at: index),
            protectsExistingOutput: protectedOutputPathStarts.contains(entry.pathRange.lowerBound),
            rejectionReason: rejectionReasonsByPathStart[entry.pathRange.lowerBound])
    }

    /// Returns the file's size in bytes, or 0 if the file did not exist.
    func fileSize(at index: Int) -> Int { Int(entries[index].fileVersion.size) }

    /// Returns the identity and state of the file when it was found, or `nil` if it did not exist.
    func fileVersion(at index: Int) -> FileVersion? { entries[index].exists ? entries[index].fileVersion : nil }

    /// Returns the permissions of the file when it was found.
    func permissions(at index: Int) -> FilePermissions {
        FilePermissions(rawValue: CInterop.Mode(entries[index].permissions))
    }

    /// Returns the bytes of the input's path.
    func pathBytes(at index: Int) -> ArraySlice<UInt8> { pathBytes(in: entries[index].pathRange) }

    /// Returns the bytes of the input's relative path.
    func relativePathBytes(at index: Int) -> ArraySlice<UInt8> { pathBytes(in: entries[index].relativePathRange) }

    /// Returns the names that the input's output may get. They depend on the kind of media.
    func possibleOutputNames(at index: Int) -> [[UInt8]] {
        let relative = relativePathBytes(at: index)
        if entries[index].hasPlannedOutputName { return [Array(relative)] }
        let audio = OutputNaming.audioOutputName(for: relative), image = OutputNaming.imageOutputName(for: relative)
        return image == audio ? [image] : [image, audio]
    }

    func isRejected(at index: Int) -> Bool { rejectionReasonsByPathStart[entries[index].pathRange.lowerBound] != nil }

    /// Returns whether the input is the video of a Live Photo, which is skipped.
    func isLivePhotoVideo(at index: Int) -> Bool { entries[index].isLivePhotoVideo }

    /// Returns whether the input is opened and prepared, rather than rejected or skipped unread.
    func isToBePrepared(at index: Int) -> Bool { !isRejected(at: index) && !isLivePhotoVideo(at: index) }

    /// Returns whether the input was named itself, rather than found in a directory.
    func isExplicitlyNamed(at index: Int) -> Bool { entries[index].isExplicitlyNamed }

    /// Returns whether `file` is one of the inputs, whatever its path.
    ///
    /// - Complexity: O(*n*) in the number of inputs. To look up many files, use `InputFiles`.
    func containsFile(_ file: FileIdentity) -> Bool { entries.contains { $0.exists && identity(of: $0) == file } }

    /// The identities of the inputs that exist, sorted.
    var fileIdentities: [FileIdentity] { entries.filter(\.exists).map(identity).sorted() }

    /// Returns the identity of the file when it was found, or `nil` if it did not exist.
    func fileIdentity(at index: Int) -> FileIdentity? { entries[index].exists ? identity(of: entries[index]) : nil }

    private func identity(of entry: Entry) -> FileIdentity {
        FileIdentity(device: deviceIDs[Int(entry.deviceIndex)], inode: entry.fileVersion.inode)
    }

    /// Returns a negative number if the path at `a` precedes that at `b`, and 0 if they are equal.
    ///
    /// It uses `memcmp` because paths have long common prefixes. A loop over checked indices took 8% of a repeated run
    /// over 100,000 inputs.
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

// MARK: - Adding inputs

extension InputList {
    /// Adds an input.
    ///
    /// - Throws: `BatchError` if the paths of all inputs exceed 4 GiB. That is about 40 million inputs.
    mutating func add(
        path: [UInt8], relativePath: [UInt8], stat: Stat?, isExplicitlyNamed: Bool, hasPlannedOutputName: Bool = false,
        rejectionReason: Diagnostic? = nil
    ) throws(BatchError) {
        let pathRange = try appendPath(path)
        let isSuffix = path.suffix(relativePath.count).elementsEqual(relativePath)
        let end = pathRange.upperBound
        let relativeRange = try isSuffix ? end - UInt32(relativePath.count)..<end : appendPath(relativePath)
        entries.append(
            Entry(
                pathRange: pathRange, relativePathRange: relativeRange,
                fileVersion: stat.map(FileVersion.init)
                    ?? FileVersion(size: 0, modifiedNanoseconds: 0, changedNanoseconds: 0, inode: 0),
                deviceIndex: stat.map { index(ofDevice: FileIdentity($0).device) } ?? 0,
                permissions: stat.map { UInt16(truncatingIfNeeded: $0.permissions.rawValue) } ?? 0, exists: stat != nil,
                isExplicitlyNamed: isExplicitlyNamed, hasPlannedOutputName: hasPlannedOutputName))
        rejectionReasonsByPathStart[pathRange.lowerBound] = rejectionReason
    }

    /// Sorts the inputs by the bytes of their paths, and removes those with the path of an input that was added
    /// earlier.
    mutating func sortAndRemoveDuplicates() {
        // Among inputs with the same path, the one that was added first comes first and is kept.
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

    /// Changes the relative path of the input at `index`, and thereby the name of its output.
    ///
    /// - Throws: `BatchError` if the paths of all inputs exceed 4 GiB.
    mutating func setRelativePath(_ path: [UInt8], at index: Int) throws(BatchError) {
        entries[index].relativePathRange = try appendPath(path)
    }

    /// Rejects the input at `index`.
    mutating func reject(at index: Int, reason: Diagnostic) {
        rejectionReasonsByPathStart[entries[index].pathRange.lowerBound] = reason
    }

    /// Protects the file that already has the name of the output of the input at `index`.
    mutating func protectExistingOutput(at index: Int) {
        protectedOutputPathStarts.insert(entries[index].pathRange.lowerBound)
    }

    /// Marks the input at `index` as the video of a Live Photo, which is skipped.
    mutating func markLivePhotoVideo(at index: Int) { entries[index].isLivePhotoVideo = true }

    private mutating func appendPath(_ bytes: [UInt8]) throws(BatchError) -> Range<UInt32> {
        guard let end = UInt32(exactly: pathStorage.count + bytes.count) else {
            throw BatchError(.invalidInput, message: "there are too many inputs for one run: divide them into shards")
        }
        pathStorage += bytes
        return end - UInt32(bytes.count)..<end
    }

    /// Returns a short index for a device ID.
    ///
    /// - Complexity: Linear in the number of devices, which is small: few file systems take part in a run.
    private mutating func index(ofDevice device: UInt64) -> UInt32 {
        if let known = deviceIDs.lastIndex(of: device) { return UInt32(known) }
        deviceIDs.append(device)
        return UInt32(deviceIDs.count - 1)
    }
}
