internal import ArgumentParser

/// A service that the backend speaks.
enum Service: String, CaseIterable, ExpressibleByArgument, Sendable {
    case symptomSentry = "symptom-sentry"
    case petVisits = "pet-visits"
    case ksrCranes = "ksr-cranes"
    case messages
    /// `POST /upload`.
    case plain

    /// Returns the service to which a path belongs, or `nil` if there is none.
    init?(path: String) {
        let segments = path.split(separator: "/")
        switch (segments.first, segments.dropFirst().first) {
        case ("upload", nil): self = .plain
        case ("api", "app"): self = .ksrCranes
        case ("api", "messages"), ("api", "auth"): self = .messages
        case ("api", "appointments"), ("api", "audio"), ("api", "visits"): self = .petVisits
        case ("api", "login"), ("api", "register"), ("api", "analyze"), ("api", "save-analysis"),
            ("api", "user-profile"), ("api", "update-profile"), ("api", "update-subscription"):
            self = .symptomSentry
        default: return nil
        }
    }

    /// The paths that need no token.
    static let pathsWithoutToken: Set = [
        "/upload", "/api/login", "/api/register", "/api/app/login", "/api/auth/login",
    ]

    /// The tables of the service.
    var schema: DatabaseSchema {
        switch self {
        case .symptomSentry: SymptomSentryRoutes.schema
        case .petVisits: PetVisitsRoutes.schema
        case .ksrCranes: KSRCranesRoutes.schema
        case .messages: MessagesRoutes.schema
        case .plain: DatabaseSchema()
        }
    }
}

/// The account to which the token of a request belongs.
struct Account: Sendable {
    /// The id in the service's table of accounts; `nil` for a token that is valid for all, such as `dev-token`. Each
    /// service then uses its first account.
    var owner: String?
}
