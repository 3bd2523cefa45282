/// Why a body is no form.
struct FormError: Error, Hashable, CustomStringConvertible {
    /// What is wrong with it, as a stable kebab-case name.
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
    /// A sentence for a person.
    var message: String

    init(code: Code, message: String) { (self.code, self.message) = (code, message) }

    var description: String { message }
}
