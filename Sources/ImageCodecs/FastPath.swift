internal import Imaging

/// The error of a file that a fast decoder does not decode, because it has an anomaly.
struct FastDecoderRejection: Error {}

/// A decoder of files without anomalies, with the same samples as a library's decoder. It stops at the first anomaly.
protocol FastPathDecoder: PlaneDecoder, ~Copyable where Failure == FastDecoderRejection {
    /// Reads what follows the last row, and returns whether the data ended exactly at the end of the image.
    mutating func finishDecoding() -> Bool
}

extension ResampleRequest {
    /// Decodes a file without its library's decoder. Returns `nil` if the file has an anomaly; the library then starts
    /// over, and decides what the anomaly means.
    ///
    /// - Parameter decoder: The decoder; `nil` for a file of a kind that it does not support.
    func resampleOnFastPath<Decoder: FastPathDecoder & ~Copyable>(_ decoder: consuming Decoder?) -> PlanarImage? {
        guard var decoder, let image = try? resampleImage(from: &decoder), decoder.finishDecoding() else {
            return nil
        }
        return image
    }
}
