package import Batch
package import ImageCodecs
internal import MediaPrep
package import SystemPackage

/// An HTML report of a manifest.
package struct HTMLReport: Sendable {
    /// The path of the manifest, or `-` for standard input.
    package var manifest: FilePath
    /// The directories that the paths of outputs are relative to. If there are none, it is the manifest's directory.
    package var mediaDirectories: [FilePath]
    /// The permissions of the report.
    package var access: OutputAccess
    /// The isolation of the decoders of HEIC and AVIF; `nil` to decode them in this process.
    package var isolation: DecoderIsolation?

    /// The maximum number of images that are shown.
    package static let maxShownImages = ThumbnailPair.maxPairs

    package init(
        manifest: FilePath, mediaDirectories: [FilePath] = [], access: OutputAccess = .sameAsInputs,
        isolation: DecoderIsolation? = nil
    ) {
        self.manifest = manifest
        self.mediaDirectories = mediaDirectories
        self.access = access
        self.isolation = isolation
    }

    /// Writes the report as one HTML file that loads no other file.
    ///
    /// - Parameters:
    ///   - path: The path of the report. An existing file is replaced.
    ///   - onImagesLeftOut: Called if images are left out because the manifest is not a file of the user, and no media
    ///     directory was named.
    /// - Throws: `BatchError` if the manifest cannot be read, or the report cannot be written or would replace a file
    ///   that the manifest lists; `CancellationError`.
    package func write(to path: FilePath, onImagesLeftOut: () -> Void = {}) async throws {
        let replaced = try ReplacedReportFile(path: path)
        try replaced.checkDiffers(from: manifest, role: "the manifest")
        // Reading blocks, so it must not run on Swift's cooperative threads.
        let content = try await BlockingThreadPool(threadCount: 1).run { () throws in
            try ReportContent(manifest: manifest, namedMediaDirectories: mediaDirectories, replacedFile: replaced)
        }
        if content.mediaDirectories.allowsNoFiles, !content.imageCandidates.allInDisplayOrder.isEmpty {
            onImagesLeftOut()
        }
        let page = ReportPage(
            title: manifest == "-" ? "Standard input" : manifest.string, summary: content.summary,
            thumbnailPairs: await content.makeThumbnailPairs(isolation: isolation))
        try page.write(rows: content.rows, to: path, access: access)
    }
}
