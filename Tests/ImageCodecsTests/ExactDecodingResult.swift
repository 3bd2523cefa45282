import Diagnostics
import ImageCodecs
import Imaging

/// The result of decoding at full size, or resized to `size`: planes and warnings, or an error.
enum ExactDecodingResult: Equatable {
    case decoded([ContiguousArray<UInt8>], [Diagnostic])
    case failed(CodecError)

    init(
        decoding file: [UInt8], by decoders: DecoderPreference, size: PixelSize? = nil,
        instructionSet: InstructionSet = .selected
    ) {
        do throws(CodecError) {
            let source = try ImageSource(file)
            let decoded = try source.decode(
                resampling: ResampleRequest(
                    size: size ?? source.header.uprightSize, minChromaSubsampling: .none, instructionSet: instructionSet
                ),
                decoders: decoders)
            self = .decoded(decoded.image.planes.map(\.samples), decoded.warnings)
        } catch {
            self = .failed(error)
        }
    }
}
