package import Ledger
package import SystemSupport

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The result of an input before it is committed.
package struct PendingOutput: Sendable {
    package var manifestLine: ManifestLine { didSet { encodedLine = nil } }
    /// The draft of the output, or `nil` if there is none.
    package var draft: OutputDirectory.Draft?
    /// The version of the input when it was read, or `nil` if later runs must not reuse the result.
    package var inputVersion: FileVersion?
    /// Whether later runs may prepare the input with another result, although it has the same version. The digest of
    /// the output is then recorded, and nothing else.
    var isPreliminary = false
    /// The manifest line in JSON, if it was needed before it is printed.
    private var encodedLine: Data?

    package init(manifestLine: ManifestLine, draft: OutputDirectory.Draft? = nil, inputVersion: FileVersion? = nil) {
        self.manifestLine = manifestLine
        self.draft = draft
        self.inputVersion = inputVersion
    }

    /// Returns the manifest line in JSON with its terminator. It is encoded only once if this is called first.
    mutating func encodeLine() throws -> Data {
        let line = try jsonLine()
        encodedLine = line
        return line
    }

    /// Returns the manifest line in JSON with its terminator.
    package func jsonLine() throws -> Data { try encodedLine ?? manifestLine.jsonLine() }
}

/// A consumer of committed results. Its methods are called on a thread that may block.
package protocol ResultConsumer: Sendable {
    /// Receives a result of this run.
    func receiveResult(_ output: PendingOutput) throws
    /// Receives a result of an earlier run that is still up to date.
    func receiveEarlierRecord(_ record: InputRecord) throws
    /// Writes buffered results to their destination.
    func flush() throws
}
