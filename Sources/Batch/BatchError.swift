#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error that ends a whole run. Errors of single inputs are results instead.
public struct BatchError: Error, LocalizedError, CustomStringConvertible, Sendable {
    /// A stable kebab-case name of an error. The set is open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let rawValue: String
        /// Creates the code with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The inputs, a list, a plan or a manifest are invalid.
        public static let invalidInput = Code(rawValue: "invalid-input")
        /// An option is invalid, or its value cannot be used on this machine.
        public static let invalidOption = Code(rawValue: "invalid-option")
        /// A file or directory that the run needs cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// A file or directory that the run needs cannot be created or written.
        public static let unwritable = Code(rawValue: "unwritable")
        /// A file that the run writes would replace a file that it reads.
        public static let wouldOverwrite = Code(rawValue: "would-overwrite")
        /// The ledger of earlier runs cannot be used.
        public static let journalFailed = Code(rawValue: "ledger-failed")
    }

    /// The error's code.
    public var code: Code
    /// A message for a person. It names the file concerned.
    public var message: String
    /// The underlying error, if any.
    public var cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The error's code.
    ///   - message: A message for a person, which names the file concerned.
    ///   - cause: The underlying error, if any.
    public init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
    /// The message. `localizedDescription` returns it.
    public var errorDescription: String? { message }
}
