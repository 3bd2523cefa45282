internal import ImageCodecs
internal import Imaging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ImagePreparer {
    /// Measures an image file and applies ``ImageOptions/policy``, without preparing it.
    ///
    /// The image is decoded, but not encoded. A gray or YCbCr JPEG is decoded at half size if both sides are reduced by
    /// 3 or more for the measures: its longer side has at least 3,072 pixels. Of its chroma only the mean of each block
    /// is decoded. The measures differ little from those in ``PreparedImage/measures``: brightness by at most one
    /// level, sharpness by about 1%, noise by about 3%.
    ///
    /// - Parameter url: The `file:` URL of the file.
    /// - Throws: ``MediaError/Code/unreadable``, ``MediaError/Code/notARegularFile``,
    ///   ``MediaError/Code/inputTooLarge``, ``MediaError/Code/changedWhileRead``, and the errors of `prepare(_:)`,
    ///   except those of encoding and of the policy.
    /// - Complexity: Linear in the source's pixels. Memory: the file and about
    ///   ``ImageProbeResult/peakMemoryBytes``.
    public func assess(contentsOf url: URL) throws(MediaError) -> ImageAssessment {
        try assess(try ImageFile(try SourceFile(url), options: options))
    }

    /// Measures an image file and applies ``ImageOptions/policy``, on ``BlockingThreadPool/shared``.
    ///
    /// - Parameter url: The `file:` URL of the file.
    /// - Throws: The same errors as the synchronous form.
    public func assess(contentsOf url: URL) async throws(MediaError) -> ImageAssessment {
        try await BlockingThreadPool.shared.run { () throws(MediaError) in
            try assess(try ImageFile(try SourceFile(url), options: options))
        }
    }

    /// Measures an image in memory and applies ``ImageOptions/policy``, without preparing it.
    ///
    /// - Parameter data: The bytes of the file.
    /// - Throws: The errors of `assess(contentsOf:)`, except those of reading a file.
    public func assess(_ data: Data) throws(MediaError) -> ImageAssessment {
        try assess(try ImageFile(SourceFile([UInt8](data)), options: options))
    }

    /// Measures a plane of luma samples, such as a camera gives, and applies ``ImageOptions/policy``.
    ///
    /// Without chroma, `ImageMeasures.colorCast` is `nil`.
    ///
    /// - Parameters:
    ///   - luma: The samples of full range, 0 to 255, in rows from top to bottom.
    ///   - width: The number of samples in a row, at least 1.
    ///   - height: The number of rows, at least 1.
    ///   - bytesPerRow: The number of bytes from one row to the next, at least `width`.
    /// - Precondition: `luma` has all rows; the last one may end after its last sample.
    /// - Complexity: Linear in the samples. Memory: 3 MiB, and up to 400 rows of the source.
    public func assess(luma: borrowing Span<UInt8>, width: Int, height: Int, bytesPerRow: Int) -> ImageAssessment {
        let measures = ImageMeasures(
            luma: luma, size: PixelSize(width: width, height: height), rowStride: bytesPerRow)
        return ImageAssessment(measures: measures, policy: options.policy)
    }

    /// Measures an image file, which may have been probed before.
    ///
    /// - Throws: The errors of `assess(contentsOf:)`.
    package func assess(_ image: consuming ImageFile) throws(MediaError) -> ImageAssessment {
        let name = image.name
        var assessment = try image.makeAssessment()
        assessment.addMismatchWarnings(fileName: name)
        return assessment
    }
}
