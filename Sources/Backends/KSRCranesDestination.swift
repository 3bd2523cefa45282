public import HTTPCalls
public import KSRCranesAPI
public import Uploading

extension KSRCranesClient {
    /// Uploads images as `profile.jpg` or `signature.jpg`. The receipt's id is the image's URL.
    public struct Destination: UploadDestination {
        /// The URL of the API.
        public var baseEndpoint: Endpoint
        /// The kind of the images.
        public var imageKind: ImageKind
        /// Whether the server processes requests with the same `Idempotency-Key` only once. Its specification does not
        /// say so.
        public var honorsIdempotencyKeys: Bool
        /// What the specification does not say.
        public var assumptions: Assumptions

        /// Creates a destination.
        ///
        /// - Parameters:
        ///   - baseEndpoint: The URL of the API.
        ///   - imageKind: The kind of the images.
        ///   - honorsIdempotencyKeys: Whether the server processes requests with the same `Idempotency-Key` only once.
        ///   - assumptions: What the specification does not say.
        public init(
            baseEndpoint: Endpoint, imageKind: ImageKind, honorsIdempotencyKeys: Bool = false,
            assumptions: Assumptions = Assumptions()
        ) {
            self.baseEndpoint = baseEndpoint
            self.imageKind = imageKind
            self.honorsIdempotencyKeys = honorsIdempotencyKeys
            self.assumptions = assumptions
        }

        /// Returns the key of the image kind's URL with the item's fields.
        ///
        /// - Parameter item: The image.
        /// - Throws: `invalid-item` if the item is not a JPEG.
        public func uploadKey(for item: UploadItem) throws(CallError) -> UploadKey {
            try item.mediaFile.requireJPEG(for: "sent")
            return UploadKey(
                endpoint: baseEndpoint.appendingPath(assumptions.uploadPath(for: imageKind)), fields: item.fields,
                partName: assumptions.partName(for: imageKind))
        }

        /// Uploads the image.
        ///
        /// - Parameters:
        ///   - item: The image.
        ///   - uploadKey: The item's key, from ``uploadKey(for:)``.
        ///   - session: Sends the request.
        /// - Returns: The receipt.
        /// - Throws: The errors of `UploadSession.post(to:body:step:carriesItem:)`; `bad-answer` or `outcome-unknown`
        ///   if the response is not as the contract says.
        public func upload(
            _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
        ) async throws(CallError) -> UploadReceipt {
            let form = try assumptions.makeMultipartBody(for: item.mediaFile, kind: imageKind, fields: uploadKey.fields)
            let response = try await session.post(to: uploadKey.endpoint, body: form)
            return UploadReceipt(serverID: try uploadedURL(in: response), response: response)
        }

        private func uploadedURL(in response: TransportResponse) throws(CallError) -> String {
            let decoder = assumptions.keys.applied(to: KSRCranesClient.makeJSONDecoder())
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
