/// The reason why a body is not a valid form.
struct FormError: Error, Hashable, CustomStringConvertible {
    /// The kind of error, as a stable kebab-case name.
    enum Code: String {
        case noBoundary = "no-boundary"
        case malformed = "malformed-form"
        case headerTooLong = "part-header-too-long"
        case tooManyParts = "too-many-parts"
        case truncated = "truncated-form"
        case fieldsTooLong = "fields-too-long"
        case fileTooLarge = "file-too-large"
    }

    var code: Code
    /// A message for the user.
    var message: String

    init(code: Code, message: String) { (self.code, self.message) = (code, message) }

    var description: String { message }
}
