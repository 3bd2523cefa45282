public import Uploading

extension KSRCranesClient {
    /// Sends pictures as `profile.jpg` or `signature.jpg`; the receipt's id is where the server put it.
    public struct Destination: UploadDestination {
        /// The API.
        public var baseEndpoint: Endpoint
        /// What the pictures are of.
        public var imageKind: ImageKind
        /// Whether it does once what bears one `Idempotency-Key`. Its document doesn't say so.
        public var honorsIdempotencyKeys: Bool

        /// The API at a URL.
        public init(baseEndpoint: Endpoint, imageKind: ImageKind, honorsIdempotencyKeys: Bool = false) {
            self.baseEndpoint = baseEndpoint
            self.imageKind = imageKind
            self.honorsIdempotencyKeys = honorsIdempotencyKeys
        }

        /// Where pictures of the kind are taken, with the item's fields.
        ///
        /// - Throws: `invalid-item` unless it is a JPEG.
        public func uploadKey(for item: UploadItem) throws(UploadError) -> UploadKey {
            try KSRCranesClient.requireJPEG(item)
            let endpoint = KSRCranesClient.endpoint(
                path: KSRCranesClient.uploadPath(for: imageKind), base: baseEndpoint)
            return UploadKey(endpoint: endpoint, fields: item.fields, partName: imageKind.partName)
        }

        /// Sends the picture.
        public func upload(
            _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
        ) async throws(UploadError) -> UploadReceipt {
            let form = try KSRCranesClient.multipartBody(for: item, kind: imageKind, fields: uploadKey.fields)
            let response = try await session.post(to: uploadKey.endpoint, body: form)
            return UploadReceipt(serverID: try uploadedURL(in: response), responseBody: response.body)
        }

        private func uploadedURL(in response: HTTPResponse) throws(UploadError) -> String {
            let decoder = KSRCranesClient.makeJSONDecoder()
            let url =
                switch imageKind {
                case .profileImage:
                    try response.decodeBody(
                        as: ProfileImageResponse.self, using: decoder, isIdempotent: honorsIdempotencyKeys
                    ).imageURL
                case .signature:
                    try response.decodeBody(
                        as: SignatureResponse.self, using: decoder, isIdempotent: honorsIdempotencyKeys
                    ).signatureURL
                }
            guard url.isValidServerID else {
                throw response.invalidResponseError(reason: "holds no URL", isIdempotent: honorsIdempotencyKeys)
            }
            return url
        }
    }
}
