public import HTTPCalls

extension CallError.Code {
    /// The outcome cannot be recorded in the journal.
    public static let journalFailed = Self(rawValue: "journal")
}

extension CallError {
    /// Whether the error ends the whole batch, not only this item.
    public var endsBatch: Bool {
        [.quotaExhausted, .rateLimited, .unauthorized, .signedOut, .journalFailed].contains(code)
    }

    /// The same error with the code `outcome-unknown`, because an earlier attempt or this one may have been accepted.
    var asOutcomeUnknown: CallError {
        if code == .outcomeUnknown { return self }
        var error = self
        error.code = .outcomeUnknown
        error.message = "it was sent before, and may have been taken; this time \(message)"
        return error
    }
}
