internal import ArgumentParser
internal import Dispatch
internal import Foundation

/// The `dev-backend` command: starts a backend, prints its URL and serves until SIGINT or SIGTERM.
@main
struct DevBackendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev-backend",
        abstract:
            "A backend for local tests that implements the contracts of four services and a plain form endpoint, and "
            + "fails on request.",
        discussion: """
            It listens on the loopback interface. The token `dev-token` is always valid. These accounts have the \
            password `correct horse`: patient@example.com of symptom-sentry; worker@example.com, \
            manager@example.com and chef@example.com of ksr-cranes; ana.martinez@example.com and three others of \
            messages. Appointment ABC123 has the pets Pet1, Pet2 and Pet3; POST /api/appointments creates others.
            """)

    @Option(help: "Port to listen on; 0 selects a free port.")
    var port: UInt16 = 8080

    @Option(help: "SQLite file for the data. Default: memory.")
    var database: String?

    @Option(
        name: .customLong("service"),
        help: ArgumentHelp(
            "Service to run: symptom-sentry, pet-visits, ksr-cranes, messages or plain; may be given several times. "
                + "Default: all.", valueName: "name"))
    var services: [Service] = []

    @Flag(help: "Treats a repeated Idempotency-Key as a new request.")
    var noIdempotency = false

    @OptionGroup(title: "Faults")
    var faults: FaultArguments

    func run() async throws {
        var options = DevBackendOptions()
        options.port = port
        options.databasePath = database
        if !services.isEmpty { options.services = Set(services) }
        options.honorsIdempotencyKeys = !noIdempotency
        options.responseDelay = .milliseconds(faults.latency)
        options.faults = try faults.makeFaultConfiguration()
        let terminationSignal = TerminationSignal()
        try await DevBackend.withRunningBackend(options: options) { backend in
            try FileHandle.standardOutput.write(contentsOf: Data("listening on \(backend.url)\n".utf8))
            await terminationSignal.waitForSignal()
        }
    }
}

/// Waits for SIGINT or SIGTERM. Signals are caught from its creation on.
private struct TerminationSignal {
    private let signals: AsyncStream<Void>
    private let signalSources: [any DispatchSourceSignal]

    init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        signalSources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
    }

    func waitForSignal() async {
        for await _ in signals { break }
        for source in signalSources { source.cancel() }
    }
}
