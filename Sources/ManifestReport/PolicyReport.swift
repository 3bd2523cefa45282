package import Batch
package import ImageCodecs
package import MediaPrep
package import SystemPackage

/// An HTML page about a policy: its limits, and which images it accepts and rejects.
package struct PolicyReport: Sendable {
    /// The policy that gave the lines their verdicts.
    package var policy: ImagePolicy
    /// The images that were measured, and files that could not be.
    package var lines: [ManifestLine]
    /// The permissions of the page.
    package var access: OutputAccess
    /// The isolation of the decoders of HEIC and AVIF; `nil` to decode them in this process.
    package var isolation: DecoderIsolation?

    package init(policy: ImagePolicy, lines: [ManifestLine], access: OutputAccess, isolation: DecoderIsolation? = nil) {
        self.policy = policy
        self.lines = lines
        self.access = access
        self.isolation = isolation
    }

    /// Writes the page as one HTML file that loads no other file.
    ///
    /// - Parameter path: The path of the page. An existing file is replaced.
    /// - Throws: `BatchError` if the page cannot be written or would replace one of the images.
    package func write(to path: FilePath) async throws(BatchError) {
        // Examining files blocks, so it must not run on Swift's cooperative threads.
        let content = try await BlockingThreadPool(threadCount: 1).run { () throws(BatchError) in
            try ReportContent(lines: lines, replacedFile: try ReplacedReportFile(path: path))
        }
        let page = ReportPage(
            title: "Image policy", summary: content.summary,
            thumbnailPairs: await content.makeThumbnailPairs(isolation: isolation), policy: policy)
        try page.write(rows: content.rows, to: path, access: access)
    }
}
