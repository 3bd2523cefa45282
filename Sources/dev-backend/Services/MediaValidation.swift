internal import AudioProbe
internal import Foundation
internal import ImageCodecs
internal import MediaPrep

/// Validates uploaded media by decoding it completely. The work runs on threads that may block.
enum MediaValidation {
    /// Returns whether the file is a JPEG that decodes without an error.
    static func isDecodableJPEG(_ file: ReceivedForm.File) async -> Bool {
        // A small size, because the result is discarded. The whole image is decoded all the same.
        let prepared = try? await ImagePreparer(maxDimension: 64).prepare(Data(file.content))
        return prepared?.sourceProbe.format == .jpeg
    }

    /// Returns the audio's properties, or `nil` if the file is not supported audio.
    static func probeRecording(_ file: ReceivedForm.File) async -> Recording? {
        await BlockingThreadPool.shared.run { try? Recording(bytes: file.content) }
    }
}

extension ReceivedForm {
    /// Returns the form's only file.
    ///
    /// - Parameters:
    ///   - name: The required name of the file's field.
    ///   - status: The status of the error.
    ///   - code: The code of the error.
    /// - Throws: ``ErrorResponse`` if there is not exactly one file, or if it has another name.
    func requireOnlyFile(named name: String, status: Int = 400, code: String = "no-file") throws -> File {
        guard files.count == 1, files[0].name == name else {
            throw ErrorResponse(
                status: status, code: code, message: "The form is to have one file, named \(name).",
                validationErrors: nil)
        }
        return files[0]
    }
}
