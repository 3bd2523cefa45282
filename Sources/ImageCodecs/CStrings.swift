// `unsafe`: reads a C array of characters as bytes.

/// Returns the text in a C array of characters, which Swift imports as a tuple.
func string<Characters>(fromCArray characters: inout Characters) -> String {
    unsafe withUnsafeBytes(of: &characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
