#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// This process.
enum ProcessID {
    static var current: Int { Int(getpid()) }
}
