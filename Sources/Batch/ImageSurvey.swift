internal import Diagnostics
package import MediaPrep
internal import Synchronization
package import SystemPackage

/// Measures the images of files and directories, without preparing them.
package struct ImageSurvey: Sendable {
    /// A file of a survey.
    package struct File: Sendable {
        /// The description of the file. The verdict of an image that was measured is `nil`.
        package fileprivate(set) var line: ManifestLine
        /// The measures, or `nil` if the file is not an image that can be decoded.
        package fileprivate(set) var assessment: ImageAssessment?

        /// Returns the line with the verdict of a policy.
        package func line(judgedBy policy: ImagePolicy) -> ManifestLine {
            guard var assessment else { return line }
            assessment.apply(policy)
            var line = line
            line.verdict = .accepted
            line.recordAssessment(assessment)
            return line
        }
    }

    private let selection: InputSelection

    /// Finds the files. This blocks the calling thread.
    ///
    /// - Parameters:
    ///   - paths: The files and directories.
    ///   - reportUnfollowedLink: Called with the path of each link to a directory, which is not followed.
    /// - Throws: `BatchError` if there are too many files; `CancellationError`.
    package init(paths: [FilePath], reportUnfollowedLink: @escaping (FilePath) -> Void) throws {
        // An empty path names no directory, so none is excluded.
        selection = try InputSelection(BatchInputs(paths: paths), excludingOutput: "", needsOutputNames: false) {
            reportUnfollowedLink(FilePath(bytes: $0) ?? "")
        }
    }

    /// Checks that writing to `path` would not replace a file of the survey.
    ///
    /// - Parameters:
    ///   - path: The path to write to, or `-` for standard output.
    ///   - role: The name of the file to write, for the message.
    /// - Throws: `BatchError` if a file would be replaced.
    package func checkIsNotReplaced(by path: FilePath, role: String) throws(BatchError) {
        try OverwriteGuard(inputs: selection.inputs, otherFiles: []).check(path, role: role)
    }

    /// Measures the images, and returns all files in the byte order of their paths.
    ///
    /// - Parameters:
    ///   - preparer: The preparer that decodes the images. Its policy has no rules.
    ///   - jobs: The number of images that are decoded concurrently.
    /// - Throws: `CancellationError`.
    /// - Complexity: Memory of about 2 KiB for each file, and for each job that of an image's file and decoder. No
    ///   budget limits it, unlike that of a `MediaPipeline`.
    package func measureFiles(using preparer: ImagePreparer, jobs: Int) async throws -> [File] {
        let positions = selection.inputPositions
        let files = Mutex<[Int: File]>([:])
        await forEachConcurrently(positions, limit: jobs, on: BlockingThreadPool(threadCount: jobs)) { position in
            let file = File(selection.inputs[position], preparer: preparer)
            files.withLock { $0[position] = file }
        }
        try Task.checkCancellation()
        return files.withLock { files in positions.compactMap { files[$0] } }
    }
}

extension ImageSurvey.File {
    /// Measures the file, if it is an image.
    fileprivate init(_ input: DiscoveredInput, preparer: ImagePreparer) {
        // Nothing is written, so inputs whose outputs would have the same name are measured.
        if input.isLivePhotoVideo || input.rejectionReason?.code == .unreadable {
            line = ManifestLine(unprepared: input)
            return
        }
        line = ManifestLine(input: input.path, kind: OutputNaming.expectedMediaKind(of: input.path))
        do throws(MediaError) {
            var source = try SourceFile(path: input.path.bytes)
            line.inputBytes = source.byteCount
            if try source.detectKind() == .audio, !input.isExplicitlyNamed {
                line.kind = .audio
                line.verdict = .skipped
                return
            }
            line.kind = .image
            assessment = try preparer.assess(try preparer.openImage(source))
            assessment.map { line.recordAssessment($0) }
        } catch {
            line.recordResult(error, input: input)
        }
    }
}
