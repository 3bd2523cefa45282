// `unsafe`: owns a C handle.

internal import CJPEGEncoder

/// Estimates how an image looks at each quality, without encoding it.
///
/// An estimate is on the scale of SSIMULACRA2, where 70 is a high quality and 90 is visually lossless. It is the same
/// on every machine.
@safe package struct JPEGScoreEstimator: ~Copyable {
    /// The visible error of an image, by which estimates are made. Errors of two encodings add up.
    package struct VisibleError: Hashable, Sendable {
        fileprivate var value: UInt64

        /// No error.
        package static let none = VisibleError(value: 0)

        package static func + (lhs: VisibleError, rhs: VisibleError) -> VisibleError {
            VisibleError(value: lhs.value + rhs.value)
        }

        /// The estimated score of an image with this error, in hundredths, at most 10,000.
        package var scoreInHundredths: Int { Int(prep_jpeg_score_of_error(value)) }
    }

    private let handle: OpaquePointer

    /// Creates an estimator of the image in `encoder`, which must have kept its coefficients. Returns `nil` without
    /// memory for it.
    init?(_ encoder: OpaquePointer) {
        guard let handle = unsafe prep_jpeg_score_estimator_create(encoder) else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe prep_jpeg_score_estimator_destroy(handle) }

    /// Returns the visible error of the image if it is encoded at `quality`, 1 to 100.
    ///
    /// - Complexity: Constant: at most 2,048 blocks are quantized.
    package mutating func visibleError(quality: Int) -> VisibleError {
        unsafe VisibleError(value: prep_jpeg_score_estimator_error(handle, Int32(quality)))
    }
}
