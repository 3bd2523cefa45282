import HTTPTestSupport
import Foundation
import HTTPCalls
import KSRCranesAPI
import MessagesAPI
import PetVisitsAPI
import SymptomSentryAPI
import Uploading
import URLSessionTransport

/// The two transports that the package has.
enum TransportKind: CaseIterable, Sendable {
    case curl, urlSession

    func makeTransport() throws -> any HTTPTransport {
        switch self {
        case .curl: try CurlTransport()
        case .urlSession: URLSessionTransport()
        }
    }
}

/// A service that dev-backend speaks, with a call that reads and a call that changes something. The second is not
/// idempotent: it is not repeated if the server may have carried it out.
enum ServiceUnderTest: CaseIterable, Sendable {
    case symptomSentry, petVisits, ksrCranes, messages

    /// Delays that are too short to slow down a test, two attempts, and no third 429.
    var retryPolicy: RetryPolicy {
        var policy = self == .symptomSentry ? SymptomSentryClient.retryPolicy : RetryPolicy()
        policy = policy.hurried
        policy.maxAttempts = 2
        policy.maxConsecutive429s = 2
        return policy
    }

    func read(_ endpoint: Endpoint, _ http: HTTPClient) async throws {
        switch self {
        case .symptomSentry: _ = try await SymptomSentryClient(baseEndpoint: endpoint, client: http).profile()
        case .petVisits: _ = try await PetVisitsClient(baseEndpoint: endpoint, client: http).appointment(id: "ABC123")
        case .ksrCranes: _ = try await KSRCranesClient(baseEndpoint: endpoint, client: http).chef.customers()
        case .messages: _ = try await MessagesClient(baseEndpoint: endpoint, client: http).unreadCount()
        }
    }

    func write(_ endpoint: Endpoint, _ http: HTTPClient) async throws {
        switch self {
        case .symptomSentry:
            _ = try await SymptomSentryClient(baseEndpoint: endpoint, client: http).updateSubscription(to: .premium)
        case .petVisits:
            _ = try await PetVisitsClient(baseEndpoint: endpoint, client: http).initiateAudioUpload(
                .init(petID: "Pet1", filename: "a.m4a", contentType: "audio/mp4", appointmentID: "ABC123"))
        case .ksrCranes:
            _ = try await KSRCranesClient(baseEndpoint: endpoint, client: http).chef.createCustomer(.init(name: "Søn"))
        case .messages:
            _ = try await MessagesClient(baseEndpoint: endpoint, client: http).send(
                "Hola", to: "6844f811e5125c9652a0498f")
        }
    }
}

/// Returns the kind of the error that `body` throws, its status, and the sentence that a user sees, such as
/// `refused 404: There is nothing here.`
func failure(of body: () async throws -> Void) async -> String {
    do {
        try await body()
        return "none"
    } catch let error as KSRCranesError {
        return "\(error.kind): \(error.localizedDescription)"
    } catch let error as CallError {
        return "\(error.kind): \(error.localizedDescription)"
    } catch {
        return "another error: \(error)"
    }
}

extension CallError {
    fileprivate var kind: String { code.rawValue + (status.map { " \($0)" } ?? "") }
}

extension KSRCranesError {
    fileprivate var kind: String {
        switch self {
        case .decodingError: "decodingError"
        case .networkError: "networkError"
        case .httpError(let status, _): "httpError \(status)"
        case .authenticationError: "authenticationError"
        case .validationError: "validationError"
        case .serverError: "serverError"
        case .callError(let error): "callError \(error.kind)"
        }
    }
}
