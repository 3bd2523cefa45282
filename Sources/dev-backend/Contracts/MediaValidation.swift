internal import AudioProbe
internal import Foundation
internal import ImageCodecs
internal import MediaPrep

/// Whether what was sent is what it is said to be, found out by reading it whole. On threads that may block.
enum MediaValidation {
    /// Whether it is a JPEG that decodes without a complaint.
    static func isDecodableJPEG(_ file: ReceivedForm.File) async -> Bool {
        // Small, since what comes of it is thrown away: decoding is all the same work but for the last step.
        let prepared = try? await ImagePreparer(maxDimension: 64).prepare(Data(file.content))
        return prepared?.sourceProbe.format == .jpeg
    }

    /// The recording that it is; nil if it is none.
    static func probeRecording(_ file: ReceivedForm.File) async -> Recording? {
        await BlockingThreadPool.shared.run {
            var reader = BufferedFileReader(bytes: file.content)
            return try? Recording(probing: &reader)
        }
    }
}

extension ReceivedForm {
    /// Its only file, which has this name.
    ///
    /// - Throws: a refusal with `status` and `code`, for another number of files and another name.
    func requireOnlyFile(named name: String, status: Int = 400, code: String = "no-file") throws -> File {
        guard files.count == 1, files[0].name == name else {
            throw ErrorResponse(
                status: status, code: code, message: "The form is to have one file, named \(name).",
                validationErrors: nil)
        }
        return files[0]
    }
}
