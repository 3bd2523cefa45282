public import Uploading

extension KSRCranes {
    /// Sends pictures as `profile.jpg` or `signature.jpg`; the receipt's id is where the server put it.
    public struct Upload: Destination {
        /// The API.
        public var base: Endpoint
        /// What the pictures are of.
        public var kind: UploadKind
        /// Whether it does once what bears one `Idempotency-Key`. Its document doesn't say so.
        public var honoursKeys: Bool

        /// The API at a URL.
        public init(_ base: Endpoint, kind: UploadKind, honoursKeys: Bool = false) {
            self.base = base
            self.kind = kind
            self.honoursKeys = honoursKeys
        }

        /// Where pictures of the kind are taken, with the item's fields.
        ///
        /// - Throws: `invalid-item` unless it is a JPEG.
        public func address(of item: UploadItem) throws(UploadError) -> UploadAddress {
            try KSRCranes.check(item)
            let endpoint = KSRCranes.endpoint(KSRCranes.path(of: kind), base)
            return UploadAddress(endpoint, fields: item.fields, part: kind.part)
        }

        /// Sends the picture.
        public func deliver(
            _ item: UploadItem, to address: UploadAddress, by delivery: Delivery
        ) async throws(UploadError) -> Receipt {
            let form = try KSRCranes.form(item, kind, address.fields)
            let response = try await delivery.post(address.endpoint, form)
            return Receipt(id: try place(in: response), response: response.body)
        }

        private func place(in response: HTTPResponse) throws(UploadError) -> String {
            let decoder = KSRCranes.makeDecoder()
            let place =
                switch kind {
                case .profileImage:
                    try response.answer(as: ProfileImageResponse.self, by: decoder, mayRepeat: honoursKeys).imageURL
                case .signature:
                    try response.answer(as: SignatureResponse.self, by: decoder, mayRepeat: honoursKeys).signatureURL
                }
            guard place.isUsableID else { throw response.bad("holds no URL", mayRepeat: honoursKeys) }
            return place
        }
    }
}
