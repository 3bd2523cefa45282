internal import Ledger
internal import MediaPrep
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One file to prepare.
struct DiscoveredInput: Sendable {
    /// As it was named, or below a directory that was.
    var path: FilePath
    /// Its path relative to its base, which its output's name is made of; or, where a plan gives it, that name itself.
    var relativePath: FilePath
    /// Whether it was named itself, and not met in a directory.
    var isExplicitlyNamed: Bool
    /// Whether it is sent to an endpoint that takes recordings alone.
    var endpointAcceptsOnlyAudio: Bool
    /// Whether `relativePath` is the output's name.
    var hasPlannedOutputName: Bool
    /// Which file it was when it was found; nil if there was none.
    var fileStamp: FileStamp?
    /// Who might read and write it when it was found.
    var filePermissions: FilePermissions
    /// Why it is refused without being opened; nil for most.
    var rejectionReason: ManifestDiagnostic?

    /// Whether a person would miss it: it was named itself, or is named like media.
    var isExpectedToBeMedia: Bool { isExplicitlyNamed || OutputNaming.hasMediaExtension(path) }
    /// Whether it is skipped if it turns out to be a video: it was met in a directory, and its endpoint takes not
    /// recordings alone.
    var skipsVideo: Bool { !isExplicitlyNamed && !endpointAcceptsOnlyAudio }

    /// What its output is called if it is a picture.
    var imageOutputPath: FilePath {
        hasPlannedOutputName
            ? relativePath : FilePath(bytes: OutputNaming.imageOutputName(for: relativePath.bytes)) ?? relativePath
    }

    /// What its output is called if it is a recording.
    var audioOutputPath: FilePath {
        hasPlannedOutputName
            ? relativePath : FilePath(bytes: OutputNaming.audioOutputName(for: relativePath.bytes)) ?? relativePath
    }

    /// What its content begins like; nil for what is no media, or can't be read.
    var detectedMediaKind: SourceFile.DetectedKind? {
        do throws(MediaError) {
            var file = try SourceFile(path: path.bytes)
            if try file.detectKind() == .audio { return .audio }
            _ = try ImagePreparer().probe(Data(try file.readContents(first: 64, limit: .max)))
        } catch {
            return [.unrecognized, .empty, .unreadable, .notARegularFile].contains(error.code) ? nil : .image
        }
        return .image
    }
}
