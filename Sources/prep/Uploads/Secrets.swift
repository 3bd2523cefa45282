// `unsafe`: setrlimit and getenv.

internal import MediaPrep
internal import SystemPackage
internal import Uploading

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Where the token comes from: a file, which is read again when the server refuses what it held, or the environment.
struct CommandTokenProvider: TokenProvider {
    private let tokenFile: FilePath?
    private let initialToken: BearerToken?

    /// - Parameter file: nil for the variable `PREP_TOKEN`, or no token where there is none.
    /// - Throws: if the file can't be read, or holds no token.
    init(tokenFile file: FilePath?) throws(RunError) {
        self.tokenFile = file
        if let file {
            initialToken = try Self.readToken(from: file)
            return
        }
        guard let value = unsafe getenv("PREP_TOKEN") else {
            initialToken = nil
            return
        }
        guard let token = BearerToken(unsafe String(cString: value)) else {
            throw RunError("PREP_TOKEN is no token: it must be visible characters of ASCII, without spaces")
        }
        initialToken = token
    }

    func token(replacing refused: BearerToken?) async throws -> BearerToken? {
        guard refused != nil else { return initialToken }
        guard let tokenFile else { return nil }
        return try await BlockingThreadPool(threadCount: 1).run { () throws(RunError) in
            try Self.readToken(from: tokenFile)
        }
    }

    /// Whether others than its owner can read the file.
    var isTokenFileReadableByOthers: Bool {
        guard let mode = try? tokenFile?.stat().permissions else { return false }
        return !mode.intersection([.groupRead, .otherRead]).isEmpty
    }

    private static func readToken(from path: FilePath) throws(RunError) -> BearerToken {
        // A JSON Web Token has some thousand bytes; what has more than this is no token.
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count: Int
        do {
            // A pipe would be waited for.
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            count = try file.closeAfter { unsafe try bytes.withUnsafeMutableBytes { unsafe try file.read(into: $0) } }
        } catch {
            throw RunError("the token file \(path) can't be read: \(error)")
        }
        guard count < bytes.count, let text = String(validating: bytes.prefix(count), as: UTF8.self),
            let token = BearerToken(text)
        else {
            throw RunError("\(path) holds no token: it must be visible characters of ASCII, without spaces")
        }
        return token
    }
}

/// What a process does that has secrets in its memory.
enum Secrets {
    /// Sees to it that a crash leaves no picture of the memory.
    static func disableCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            _ = unsafe setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
