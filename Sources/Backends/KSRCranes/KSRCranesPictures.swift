public import Uploading

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// What a picture is of.
    public enum ImageKind: String, CaseIterable, Sendable {
        /// The employee.
        case profileImage = "profile-image"
        /// The employee's signature.
        case signature

        /// What the form calls it.
        var partName: String { self == .profileImage ? "profile_image" : "signature" }
        /// What it is sent as.
        var filename: String { self == .profileImage ? "profile.jpg" : "signature.jpg" }
    }

    /// That a picture was taken.
    public struct ProfileImageResponse: Decodable, Hashable, Sendable {
        /// A sentence for a person.
        public var message: String
        /// Where the picture is.
        public var imageURL: String

        private enum CodingKeys: String, CodingKey {
            case message
            case imageURL = "image_url"
        }
    }

    /// That a signature was taken.
    public struct SignatureResponse: Decodable, Hashable, Sendable {
        /// A sentence for a person.
        public var message: String
        /// Where the signature is.
        public var signatureURL: String
        /// When it was given, by the server's clock.
        public var signedAt: Date

        private enum CodingKeys: String, CodingKey {
            case message
            case signatureURL = "signature_url"
            case signedAt = "signed_at"
        }
    }

    /// Sends the employee's picture, a JPEG.
    ///
    /// - Parameter fields: what is said of it besides.
    public func uploadProfileImage(
        _ item: UploadItem, fields: [FormField] = []
    ) async throws(KSRCranesError) -> ProfileImageResponse {
        try await uploadImage(item, kind: .profileImage, fields: fields)
    }

    /// Sends the employee's signature, a JPEG.
    public func uploadSignature(_ item: UploadItem) async throws(KSRCranesError) -> SignatureResponse {
        try await uploadImage(item, kind: .signature, fields: [])
    }

    private func uploadImage<Answer: Decodable>(
        _ item: UploadItem, kind: ImageKind, fields: [FormField]
    ) async throws(KSRCranesError) -> Answer {
        let body: HTTPRequest.Body
        do throws(UploadError) { body = try Self.multipartBody(for: item, kind: kind, fields: fields) } catch {
            throw .uploadError(error)
        }
        return try await call(method: .post, path: Self.uploadPath(for: kind), body: body)
    }

    static func uploadPath(for kind: ImageKind) -> String { "/api/app/\(kind.rawValue)" }

    /// - Throws: `invalid-item` unless it is a JPEG, as the names say under which the server expects it.
    static func requireJPEG(_ item: UploadItem) throws(UploadError) {
        guard item.mediaType == "image/jpeg" else {
            throw UploadError(
                code: .invalidItem, message: "a picture in JPEG can be sent there, and not \(item.mediaType)")
        }
    }

    static func multipartBody(
        for item: UploadItem, kind: ImageKind, fields: [FormField]
    ) throws(UploadError) -> HTTPRequest.Body {
        try requireJPEG(item)
        return try item.multipartBody(partName: kind.partName, fields: fields, filename: kind.filename)
    }
}
