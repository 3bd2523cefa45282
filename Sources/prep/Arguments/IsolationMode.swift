internal import ArgumentParser
internal import ImageCodecs

#if canImport(Darwin)
    internal import Foundation
#endif

/// When HEIC and AVIF are decoded in a process of their own.
enum IsolationMode: String, CaseIterable, ExpressibleByArgument {
    /// If the system supports it: on Linux for x86-64 and arm64, with system calls filtered.
    case auto
    /// Always. An image fails if that is not possible.
    case always
    case never

    /// The isolation for the library.
    var decoderIsolation: DecoderIsolation? {
        switch self {
        case .never: return nil
        case .always: return Self.thisExecutable
        case .auto:
            #if os(Linux) && (arch(x86_64) || arch(arm64))
                var isolation = Self.thisExecutable
                isolation.isRequired = false
                return isolation
            #else
                return nil
            #endif
        }
    }

    private static var thisExecutable: DecoderIsolation {
        #if !canImport(Darwin)
            // The file that runs, even if it was replaced since the start.
            let path = "/proc/self/exe"
        #else
            let path = Bundle.main.executablePath ?? ""
        #endif
        return DecoderIsolation(executable: path, arguments: [PrepCommand.workerArgument])
    }
}
