internal import Diagnostics
internal import MediaPrep
internal import SystemPackage
internal import SystemSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file to prepare.
package struct DiscoveredInput: Sendable {
    /// The path as it was given, or the path below a directory that was given.
    var path: FilePath
    /// The path relative to the base directory, from which the output's name is derived. If a plan names the output, it
    /// is that name.
    var relativePath: FilePath
    /// Whether the file was named itself, rather than found in a directory.
    var isExplicitlyNamed: Bool
    /// Whether the endpoint accepts only audio.
    var endpointAcceptsOnlyAudio: Bool
    /// Whether `relativePath` is the output's name.
    var hasPlannedOutputName: Bool
    /// Whether the file is the video of a Live Photo, which is skipped without being opened.
    var isLivePhotoVideo: Bool
    /// The identity and state of the file when it was found, or `nil` if it did not exist.
    var fileVersion: FileVersion?
    /// The permissions of the file when it was found.
    var filePermissions: FilePermissions
    /// Whether the output must not replace a file with other content, because no run has recorded that file.
    var protectsExistingOutput = false
    /// The reason for which the file is rejected without being opened, or `nil`.
    var rejectionReason: Diagnostic?

    /// Whether the user expects a result for the file: it was named itself, or has the extension of a media file.
    var isExpectedToBeMedia: Bool { isExplicitlyNamed || OutputNaming.hasMediaExtension(path) }
    /// Whether the file is skipped, rather than rejected, if it is a video. That applies to a file that was found in a
    /// directory, unless the endpoint accepts only audio.
    var skipsVideo: Bool { !isExplicitlyNamed && !endpointAcceptsOnlyAudio }

    /// The path of the output if the file is an image.
    var imageOutputPath: FilePath {
        hasPlannedOutputName
            ? relativePath : FilePath(bytes: OutputNaming.imageOutputName(for: relativePath.bytes)) ?? relativePath
    }

    /// The path of the output if the file is audio.
    var audioOutputPath: FilePath {
        hasPlannedOutputName
            ? relativePath : FilePath(bytes: OutputNaming.audioOutputName(for: relativePath.bytes)) ?? relativePath
    }

    /// The kind of media that the start of the content indicates, or `nil` if it is not media or cannot be read.
    var detectedMediaKind: MediaKind? {
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
