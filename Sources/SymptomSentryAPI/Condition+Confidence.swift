extension SymptomSentryClient.Condition {
    /// A band of confidences, for which an app has a color.
    public enum ConfidenceLevel: String, CaseIterable, Sendable {
        /// Below 0.4, or not a confidence: green in the specification.
        case low
        /// From 0.4: yellow.
        case medium
        /// From 0.6: orange.
        case high
        /// From 0.8 to 1: red.
        case veryHigh
    }

    /// The band of the confidence.
    public var confidenceLevel: ConfidenceLevel {
        switch confidence {
        case 0.8...1: .veryHigh
        case 0.6..<0.8: .high
        case 0.4..<0.6: .medium
        default: .low
        }
    }

    /// The confidence in percent, without fraction digits and the same in every locale, such as `82%`. A value below 0
    /// or above 1 is shown as the limit, and one that is not a number as `0%`.
    public var confidencePercentage: String {
        let clamped = confidence.isNaN ? 0 : min(max(confidence, 0), 1)
        // Like the number formatter of the specification, which rounds halves to the even neighbor.
        return "\(Int((clamped * 100).rounded(.toNearestOrEven)))%"
    }
}

extension SymptomSentryClient {
    /// How an analysis was made, for developers.
    public struct DebugInfo: Codable, Hashable, Sendable {
        /// The source of the data; `nil` if it is missing.
        public var dataSource: String?
        /// The size of the image in bytes; `nil` if it is missing.
        public var imageDataLength: Int?
        /// The time that the analysis took, in the server's unit; `nil` if it is missing.
        public var processingTime: Int?

        /// Creates debug information.
        ///
        /// - Parameters:
        ///   - dataSource: The source of the data.
        ///   - imageDataLength: The size of the image in bytes.
        ///   - processingTime: The time that the analysis took, in the server's unit.
        public init(dataSource: String? = nil, imageDataLength: Int? = nil, processingTime: Int? = nil) {
            self.dataSource = dataSource
            self.imageDataLength = imageDataLength
            self.processingTime = processingTime
        }

        private enum CodingKeys: String, CodingKey {
            case dataSource = "data_source"
            case imageDataLength = "image_data_length"
            case processingTime = "processing_time"
        }
    }
}
