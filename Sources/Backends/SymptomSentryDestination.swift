public import HTTPCalls
public import SymptomSentryAPI
public import Uploading

extension SymptomSentryClient {
    /// Uploads images for analysis. The receipt's id is the analysis's.
    public struct Destination: UploadDestination {
        /// The URL of the API.
        public var baseEndpoint: Endpoint
        /// The type of items without a field `type`.
        public var defaultAnalysisType: AnalysisType
        /// Whether the server processes requests with the same `Idempotency-Key` only once. Its specification does not
        /// say so.
        public var honorsIdempotencyKeys: Bool

        /// Creates a destination.
        ///
        /// - Parameters:
        ///   - baseEndpoint: The URL of the API.
        ///   - defaultAnalysisType: The type of items without a field `type`.
        ///   - honorsIdempotencyKeys: Whether the server processes requests with the same `Idempotency-Key` only once.
        public init(baseEndpoint: Endpoint, defaultAnalysisType: AnalysisType, honorsIdempotencyKeys: Bool = false) {
            self.baseEndpoint = baseEndpoint
            self.defaultAnalysisType = defaultAnalysisType
            self.honorsIdempotencyKeys = honorsIdempotencyKeys
        }

        /// Returns the key of the analysis URL with the type.
        ///
        /// - Parameter item: The image.
        /// - Throws: `invalid-item` if the item is not a JPEG or its type is unknown.
        public func uploadKey(for item: UploadItem) throws(CallError) -> UploadKey {
            try SymptomSentryClient.requireJPEG(item.mediaFile)
            let type = item.fieldValue(named: "type") ?? defaultAnalysisType.rawValue
            guard AnalysisType(rawValue: type) != nil else {
                throw CallError(code: .invalidItem, message: "only a throat or an ear can be analyzed")
            }
            return UploadKey(
                endpoint: SymptomSentryClient.analyzeEndpoint(base: baseEndpoint),
                fields: [FormField(name: "type", value: type)], partName: SymptomSentryClient.imagePartName)
        }

        /// Uploads the image and decodes the analysis.
        ///
        /// - Parameters:
        ///   - item: The image.
        ///   - uploadKey: The item's key, from ``uploadKey(for:)``.
        ///   - session: Sends the request.
        /// - Returns: The receipt.
        /// - Throws: The errors of `UploadSession.postItemForm(to:step:)`; `refused` if the response is a message
        ///   without an analysis; `bad-answer` or `outcome-unknown` if the response is not as the contract says.
        public func upload(
            _ item: UploadItem, uploadKey: UploadKey, session: UploadSession
        ) async throws(CallError) -> UploadReceipt {
            do throws(CallError) {
                let response = try await session.postItemForm(to: uploadKey.endpoint)
                let analysis = try response.decodeAnalysis(isIdempotent: honorsIdempotencyKeys)
                return UploadReceipt(serverID: analysis.id, response: response)
            } catch {
                throw error.addingUserMessage(from: SymptomSentryClient.userMessage(for:))
            }
        }
    }
}
