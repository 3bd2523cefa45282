public import Uploading

extension SymptomSentry {
    /// What the form calls the picture.
    static let part = "image"

    static func analyses(_ base: Endpoint) -> Endpoint { base.appending("api", "analyze") }

    /// - Throws: `invalid-item` unless it is a JPEG, which is all that is analyzed.
    static func check(_ item: UploadItem) throws(UploadError) {
        guard item.type == "image/jpeg" else {
            throw UploadError(.invalidItem, "a picture in JPEG can be analyzed, and not \(item.type)")
        }
    }

    /// Sends pictures to be analyzed; the receipt's id is the analysis'.
    public struct Upload: Destination {
        /// The API.
        public var base: Endpoint
        /// What is in the pictures, but in those of items whose field `type` says otherwise.
        public var type: AnalysisType
        /// Whether it does once what bears one `Idempotency-Key`. Its document doesn't say so.
        public var honoursKeys: Bool

        /// The API at a URL.
        public init(_ base: Endpoint, type: AnalysisType, honoursKeys: Bool = false) {
            self.base = base
            self.type = type
            self.honoursKeys = honoursKeys
        }

        /// Where pictures are analyzed, with the type.
        ///
        /// - Throws: `invalid-item` unless it is a JPEG of a throat or an ear.
        public func address(of item: UploadItem) throws(UploadError) -> UploadAddress {
            try SymptomSentry.check(item)
            let type = item.field("type") ?? type.rawValue
            guard AnalysisType(rawValue: type) != nil else {
                throw UploadError(.invalidItem, "a throat or an ear can be analyzed, and nothing else")
            }
            return UploadAddress(
                SymptomSentry.analyses(base), fields: [FormField("type", type)], part: SymptomSentry.part)
        }

        /// Sends the picture, and reads the analysis.
        public func deliver(
            _ item: UploadItem, to address: UploadAddress, by delivery: Delivery
        ) async throws(UploadError) -> Receipt {
            let response = try await delivery.postForm(to: address.endpoint)
            let analysis = try response.answer(as: AnalysisResponse.self, mayRepeat: honoursKeys)
            return Receipt(id: analysis.id, response: response.body)
        }
    }
}
