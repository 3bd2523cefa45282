public import HTTPCalls
internal import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// The kind of an image.
    public enum ImageKind: String, CaseIterable, Sendable {
        /// The employee's profile image.
        case profileImage = "profile-image"
        /// The employee's signature.
        case signature
    }

    /// The response to the upload of a profile image.
    public struct ProfileImageResponse: Codable, Hashable, Sendable {
        /// A message for the user.
        public var message: String
        /// The URL of the image.
        public var imageURL: String

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - message: A message for the user.
        ///   - imageURL: The URL of the image.
        public init(message: String, imageURL: String) {
            self.message = message
            self.imageURL = imageURL
        }

        private enum CodingKeys: String, CodingKey {
            case message
            case imageURL = "image_url"
        }
    }

    /// The response to the upload of a signature.
    public struct SignatureResponse: Codable, Hashable, Sendable {
        /// A message for the user.
        public var message: String
        /// The URL of the signature.
        public var signatureURL: String
        /// The time of the signature, by the server's clock.
        public var signedAt: Date

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - message: A message for the user.
        ///   - signatureURL: The URL of the signature.
        ///   - signedAt: The time of the signature.
        public init(message: String, signatureURL: String, signedAt: Date) {
            self.message = message
            self.signatureURL = signatureURL
            self.signedAt = signedAt
        }

        private enum CodingKeys: String, CodingKey {
            case message
            case signatureURL = "signature_url"
            case signedAt = "signed_at"
        }
    }

    /// Uploads the employee's profile image. The request is not retried if the server may have processed it.
    ///
    /// - Parameters:
    ///   - file: The image, a JPEG.
    ///   - fields: Additional form fields.
    /// - Returns: The server's response.
    /// - Throws: ``KSRCranesError/callError(_:)`` with the code `invalid-item` if the file is not a JPEG.
    public func uploadProfileImage(
        _ file: MediaFile, fields: [FormField] = []
    ) async throws(KSRCranesError) -> ProfileImageResponse {
        try await uploadImage(file, kind: .profileImage, fields: fields)
    }

    /// Uploads the employee's signature. The request is not retried if the server may have processed it.
    ///
    /// - Parameter file: The image, a JPEG.
    /// - Returns: The server's response.
    /// - Throws: ``KSRCranesError/callError(_:)`` with the code `invalid-item` if the file is not a JPEG.
    public func uploadSignature(_ file: MediaFile) async throws(KSRCranesError) -> SignatureResponse {
        try await uploadImage(file, kind: .signature, fields: [])
    }

    private func uploadImage<Response: Decodable>(
        _ file: MediaFile, kind: ImageKind, fields: [FormField]
    ) async throws(KSRCranesError) -> Response {
        let body: RequestBody
        do throws(CallError) {
            body = try assumptions.makeMultipartBody(for: file, kind: kind, fields: fields)
        } catch {
            throw .callError(error)
        }
        return try await callAssumed(method: .post, path: assumptions.uploadPath(for: kind), body: body)
    }
}
