// `unsafe`: setrlimit, getenv, and a read into an array's memory.

internal import Batch
internal import HTTPCalls
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

/// The bearer token from a file or from the environment. A regular file is read again when the server rejects the
/// token. A pipe, such as that of a password manager, can be read only once.
struct CommandToken: Sendable {
    private let tokenFile: FilePath?
    private let initialToken: BearerToken?
    private let account: String?

    /// Reads the token.
    ///
    /// - Parameters:
    ///   - file: The token's file, or `nil` to use the variable `PREP_TOKEN`. If the variable is not set either, there
    ///     is no token.
    ///   - account: The name of the token's account, or `nil` if there is only one.
    /// - Throws: `BatchError` if the file cannot be read, or its content or the variable's value is not a valid bearer
    ///   token.
    init(tokenFile file: FilePath?, account: String?) throws(BatchError) {
        self.tokenFile = file
        self.account = account
        if let file {
            initialToken = try Self.readToken(from: file)
            return
        }
        guard let value = unsafe getenv("PREP_TOKEN") else {
            initialToken = nil
            return
        }
        guard let token = BearerToken(unsafe String(cString: value)) else {
            throw BatchError(
                .invalidOption,
                message: "PREP_TOKEN is not a token: it must consist of visible ASCII characters without spaces")
        }
        initialToken = token
    }

    /// A session with the token, or `nil` if there is none.
    var session: Session? {
        guard let initialToken else { return nil }
        guard let tokenFile, (try? tokenFile.stat())?.type == .regular else {
            return Session(Credentials(token: initialToken, accountID: account))
        }
        return Session(Credentials(token: initialToken, accountID: account)) { _ in
            try await BlockingThreadPool(threadCount: 1).run { () throws(BatchError) in
                Credentials(token: try Self.readToken(from: tokenFile))
            }
        }
    }

    /// Whether the token's file can be read by users other than its owner.
    var isTokenFileReadableByOthers: Bool {
        guard let stat = try? tokenFile?.stat(), stat.type == .regular else { return false }
        return !stat.permissions.intersection([.groupRead, .otherRead]).isEmpty
    }

    private static func readToken(from path: FilePath) throws(BatchError) -> BearerToken {
        // A JSON Web Token has a few thousand bytes. A longer file does not hold a token.
        let maxByteCount = 64 << 10
        let bytes: [UInt8]
        do {
            bytes = try readBytes(of: path, upTo: maxByteCount)
        } catch {
            throw BatchError(.unreadable, message: "the token file \(path) can't be read: \(error)", cause: error)
        }
        guard bytes.count < maxByteCount, let text = String(validating: bytes, as: UTF8.self),
            let token = BearerToken(text)
        else {
            throw BatchError(
                .invalidOption,
                message: "\(path) does not contain a token: it must consist of visible ASCII characters without spaces")
        }
        return token
    }

    /// Reads the beginning of a file, or waits for that of a pipe.
    private static func readBytes(of path: FilePath, upTo maxByteCount: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maxByteCount)
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        let count = try file.closeAfter {
            var count = 0
            while count < maxByteCount {
                let read = unsafe try bytes.withUnsafeMutableBytes {
                    unsafe try file.read(into: .init(rebasing: $0[count...]))
                }
                if read == 0 { break }
                count += read
            }
            return count
        }
        return Array(bytes[..<count])
    }
}

/// Protects the secrets in the process's memory.
enum Secrets {
    /// Disables core dumps.
    static func disableCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            _ = unsafe setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
