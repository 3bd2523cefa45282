public import Uploading

extension SymptomSentryClient {
    /// What the form calls the picture.
    static let imagePartName = "image"

    static func analyzeEndpoint(base: Endpoint) -> Endpoint { base.appendingPathSegments("api", "analyze") }

    /// - Throws: `invalid-item` unless it is a JPEG, which is all that is analyzed.
    static func requireJPEG(_ item: UploadItem) throws(UploadError) {
        guard item.mediaType == "image/jpeg" else {
            throw UploadError(
                code: .invalidItem, message: "a picture in JPEG can be analyzed, and not \(item.mediaType)")
        }
    }

    /// Sends pictures to be analyzed; the receipt's id is the analysis'.
    public struct Destination: UploadDestination {
        /// The API.
        public var baseEndpoint: Endpoint
        /// What is in the pictures, but in those of items whose field `defaultAnalysisType` says otherwise.
        public var defaultAnalysisType: AnalysisType
        /// Whether it does once what bears one `Idempotency-Key`. Its document doesn't say so.
        public var honorsIdempotencyKeys: Bool

        /// The API at a URL.
        public init(baseEndpoint: Endpoint, defaultAnalysisType: AnalysisType, honorsIdempotencyKeys: Bool = false) {
            self.baseEndpoint = baseEndpoint
            self.defaultAnalysisType = defaultAnalysisType
            self.honorsIdempotencyKeys = honorsIdempotencyKeys
        }

        /// Where pictures are analyzed, with the type.
        ///
        /// - Throws: `invalid-item` unless it is a JPEG of a throat or an ear.
        public func uploadKey(for item: UploadItem) throws(UploadError) -> UploadKey {
            try SymptomSentryClient.requireJPEG(item)
            let type = item.fieldValue(named: "type") ?? defaultAnalysisType.rawValue
            guard AnalysisType(rawValue: type) != nil else {
                throw UploadError(code: .invalidItem, message: "a throat or an ear can be analyzed, and nothing else")
            }
            return UploadKey(
                endpoint: SymptomSentryClient.analyzeEndpoint(base: baseEndpoint),
                fields: [FormField(name: "type", value: type)], partName: SymptomSentryClient.imagePartName)
        }

        /// Sends the picture, and reads the analysis.
        public func upload(
            _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
        ) async throws(UploadError) -> UploadReceipt {
            let response = try await session.postItemForm(to: uploadKey.endpoint)
            let analysis = try response.decodeBody(as: AnalysisResponse.self, isIdempotent: honorsIdempotencyKeys)
            return UploadReceipt(serverID: analysis.id, responseBody: response.body)
        }
    }
}
