// `unsafe`: passes the address of a null-terminated copy, and reads a C array of characters as bytes.

/// Calls `body` with the path as a C string.
///
/// A path that contains a zero byte is replaced by the empty path, with which every system call fails. The system would
/// otherwise use only the part before the zero byte.
package func withNullTerminatedPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let path = path.contains(0) ? [] : path
    return unsafe body(path.map { CChar(bitPattern: $0) } + [0])
}

/// Returns the text in a C array of characters, which Swift imports as a tuple.
package func string<Characters>(fromCArray characters: inout Characters) -> String {
    unsafe withUnsafeBytes(of: &characters) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
