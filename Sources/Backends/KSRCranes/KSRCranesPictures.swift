public import Uploading

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranes {
    /// What a picture is of.
    public enum UploadKind: String, CaseIterable, Sendable {
        /// The employee.
        case profileImage = "profile-image"
        /// The employee's signature.
        case signature

        /// What the form calls it.
        var part: String { self == .profileImage ? "profile_image" : "signature" }
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
        try await upload(item, .profileImage, fields)
    }

    /// Sends the employee's signature, a JPEG.
    public func uploadSignature(_ item: UploadItem) async throws(KSRCranesError) -> SignatureResponse {
        try await upload(item, .signature, [])
    }

    private func upload<Answer: Decodable>(
        _ item: UploadItem, _ kind: UploadKind, _ fields: [FormField]
    ) async throws(KSRCranesError) -> Answer {
        let body: HTTPRequest.Body
        do throws(UploadError) { body = try Self.form(item, kind, fields) } catch { throw .upload(error) }
        return try await call(.post, Self.path(of: kind), body)
    }

    static func path(of kind: UploadKind) -> String { "/api/app/\(kind.rawValue)" }

    /// - Throws: `invalid-item` unless it is a JPEG, as the names say under which the server expects it.
    static func check(_ item: UploadItem) throws(UploadError) {
        guard item.type == "image/jpeg" else {
            throw UploadError(.invalidItem, "a picture in JPEG can be sent there, and not \(item.type)")
        }
    }

    static func form(
        _ item: UploadItem, _ kind: UploadKind, _ fields: [FormField]
    ) throws(UploadError) -> HTTPRequest.Body {
        try check(item)
        return try item.form(part: kind.part, fields: fields, filename: kind.filename)
    }
}
