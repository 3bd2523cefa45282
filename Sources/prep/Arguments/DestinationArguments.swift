internal import ArgumentParser
internal import Backends
internal import Batch
internal import BatchUpload
internal import HTTPCalls
internal import KSRCranesAPI
internal import MediaPrep
internal import PetVisitsAPI
internal import SymptomSentryAPI
internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The options for the destination of an upload and the form fields that are sent with it.
struct DestinationArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "symptom-sentry, pet-visits, ksr-cranes, or the URL of any endpoint that takes forms.",
            valueName: "backend|url"))
    var to: String

    @Option(help: ArgumentHelp("Base URL of the named backend, such as https://api.example.com.", valueName: "url"))
    var baseURL: String?

    @Option(
        help: ArgumentHelp(
            "Type of the upload: throat or ear for symptom-sentry, profile-image or signature for ksr-cranes.",
            valueName: "type"))
    var type: String?

    @Option(help: ArgumentHelp("For pet-visits: the appointment of the audio.", valueName: "id"))
    var appointment: String?

    @Option(help: ArgumentHelp("For pet-visits: the pet of the audio.", valueName: "id"))
    var pet: String?

    @Option(
        help: ArgumentHelp(
            "For pet-visits: a CSV file with rows of file,pet_id or file,pet_id,appointment_id. Files are named like "
                + "the inputs, or relative to the CSV file.", valueName: "file"))
    var pets: PathArgument?

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp("For a URL: a form field; may be given several times.", valueName: "name=value"))
    var fields: [FormFieldArgument] = []

    @Option(
        help: ArgumentHelp("For a URL: name of the form's part that holds the file. Default: file.", valueName: "name"))
    var part: String?

    @Flag(
        help: """
            The server executes a request once for each Idempotency-Key, so unconfirmed uploads are repeated until \
            they are answered.
            """
    )
    var idempotent = false

    @Flag(help: "Allow plain HTTP to other machines. Everyone on the network path can read the data.")
    var allowHTTP = false

    @Flag(help: "Send files under their own names. Default: image.jpg, or recording with the extension of the audio.")
    var originalNames = false

    /// A backend that `--to` selects by name.
    private enum NamedBackend: String, CaseIterable {
        case symptomSentry = "symptom-sentry"
        case petVisits = "pet-visits"
        case ksrCranes = "ksr-cranes"
    }

    private var namedBackend: NamedBackend? { NamedBackend(rawValue: to) }

    mutating func validate() throws {
        if namedBackend == nil && !to.contains("://") {
            let names = NamedBackend.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--to must be \(names), or a URL.")
        }
        if namedBackend != nil && baseURL == nil { throw ValidationError("--to \(to) needs a --base-url.") }
        if namedBackend == nil && baseURL != nil {
            throw ValidationError("--base-url can only be used with a named backend.")
        }
        try validateOption("--type", isGiven: type != nil, allowedFor: [.symptomSentry, .ksrCranes])
        try validateOption("--appointment", isGiven: appointment != nil, allowedFor: [.petVisits])
        try validateOption("--pet", isGiven: pet != nil, allowedFor: [.petVisits])
        try validateOption("--pets", isGiven: pets != nil, allowedFor: [.petVisits])
        try validateOption("--field", isGiven: !fields.isEmpty, allowedFor: [nil])
        try validateOption("--part", isGiven: part != nil, allowedFor: [nil])
        switch namedBackend {
        case .symptomSentry:
            if type.flatMap(SymptomSentryClient.AnalysisType.init) == nil {
                throw ValidationError("--to symptom-sentry needs --type throat or --type ear.")
            }
        case .petVisits:
            if (pet == nil) == (pets == nil) { throw ValidationError("--to pet-visits needs either --pet or --pets.") }
            if appointment == nil && pets == nil { throw ValidationError("--to pet-visits needs an --appointment.") }
        case .ksrCranes:
            if type.flatMap(KSRCranesClient.ImageKind.init) == nil {
                throw ValidationError("--to ksr-cranes needs --type profile-image or --type signature.")
            }
        case nil: break
        }
    }

    private func validateOption(_ option: String, isGiven: Bool, allowedFor backends: [NamedBackend?]) throws {
        if isGiven && !backends.contains(namedBackend) {
            // The message leaves out the URL, which may contain a secret.
            throw ValidationError("\(option) cannot be used with --to \(namedBackend?.rawValue ?? "URL").")
        }
    }

    /// Returns the base URL of the backend, or the URL that `--to` names.
    ///
    /// - Throws: `BatchError` if the URL is invalid or not allowed.
    func makeEndpoint() throws(BatchError) -> Endpoint {
        if baseURL?.contains("?") == true {
            throw BatchError(.invalidOption, message: "--base-url can't have a query: paths are put behind it")
        }
        let base = baseURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        do { return try Endpoint(base ?? to, allowsPlainHTTP: allowHTTP) } catch {
            // The message leaves out the URL: the invalid part may be a password.
            let option = baseURL == nil ? "--to" : "--base-url"
            throw BatchError(
                .invalidOption, message: "the URL of \(option) can't be used (\(error.code)): \(error.message)")
        }
    }

    /// Returns the destination for the uploader.
    func makeDestination(endpoint: Endpoint) -> any UploadDestination {
        switch namedBackend {
        case .symptomSentry:
            SymptomSentryClient.Destination(
                baseEndpoint: endpoint,
                defaultAnalysisType: type.flatMap(SymptomSentryClient.AnalysisType.init) ?? .throat,
                honorsIdempotencyKeys: idempotent)
        case .petVisits:
            PetVisitsClient.Destination(
                baseEndpoint: endpoint, defaultAppointmentID: appointment, honorsIdempotencyKeys: idempotent)
        case .ksrCranes:
            KSRCranesClient.Destination(
                baseEndpoint: endpoint, imageKind: type.flatMap(KSRCranesClient.ImageKind.init) ?? .profileImage,
                honorsIdempotencyKeys: idempotent)
        case nil:
            FormUploadDestination(
                endpoint: endpoint, fields: fields.map(\.field), partName: part ?? "file",
                honorsIdempotencyKeys: idempotent)
        }
    }

    /// The rules for images of the backend. They only warn, because the server may accept what they do not.
    var defaultImagePolicy: ImagePolicy {
        guard namedBackend == .symptomSentry, let policy = type.flatMap({ ImagePolicy.builtIn[$0] }) else {
            return ImagePolicy()
        }
        return policy.settingAction(.warn)
    }

    /// Whether the backend accepts only audio.
    var acceptsOnlyAudio: Bool { namedBackend == .petVisits }

    /// The backend's retry policy. `--max-attempts` replaces its number of attempts.
    var retryPolicy: RetryPolicy { namedBackend == .symptomSentry ? SymptomSentryClient.retryPolicy : RetryPolicy() }

    /// Returns the pets that audio files belong to, or `nil` for backends without pets.
    ///
    /// - Throws: `BatchError` if the table cannot be read or is invalid; `CancellationError`.
    func makePetTable() throws -> PetTable? {
        guard namedBackend == .petVisits else { return nil }
        if let pets { return try PetTable(contentsOf: pets.path, defaultAppointmentID: appointment) }
        return PetTable(petID: pet, appointmentID: appointment)
    }
}

/// A form field: `name=value`.
struct FormFieldArgument: ExpressibleByArgument {
    let field: FormField

    init?(argument: String) {
        let text = String(decoding: LosslessArguments.decodedBytes(from: argument), as: UTF8.self)
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
        field = FormField(name: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
    }
}
