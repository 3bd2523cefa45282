package import SystemSupport

/// The recorded result of one input in an earlier run.
package struct InputRecord: Hashable, Sendable {
    /// An output file that was written for an input.
    package struct OutputFile: Hashable, Sendable {
        /// The path relative to the output directory, as bytes that need not be UTF-8.
        package var path: [UInt8]
        /// The file's size, in bytes.
        package var size: Int64
        /// The time of the last change of the content, in nanoseconds since 1970.
        package var modifiedNanoseconds: Int64

        /// Creates the description of an output file.
        ///
        /// - Parameters:
        ///   - path: The path relative to the output directory, as bytes that need not be UTF-8.
        ///   - size: The file's size, in bytes.
        ///   - modifiedNanoseconds: The time of the last change of the content, in nanoseconds since 1970.
        package init(path: [UInt8], size: Int64, modifiedNanoseconds: Int64) {
            self.path = path
            self.size = size
            self.modifiedNanoseconds = modifiedNanoseconds
        }
    }

    /// The input's path as it was given, as bytes that need not be UTF-8.
    package var inputPath: [UInt8]
    /// The identity and state of the file when it was read.
    package var fileVersion: FileVersion
    /// A digest of everything that the result depends on besides the input: the options and the program's revision.
    package var fingerprint: [UInt8]
    /// The output that was written, or `nil` if none was.
    package var output: OutputFile?
    /// The verdict, as the manifest spells it.
    package var verdict: String
    /// The code of the first reason, or `nil` if there is none.
    package var reasonCode: String?
    /// The manifest's line, without its terminator.
    package var manifestLine: [UInt8]

    /// Creates a record of one input's result.
    ///
    /// - Parameters:
    ///   - inputPath: The input's path as it was given, as bytes that need not be UTF-8.
    ///   - fileVersion: The identity and state of the file when it was read.
    ///   - fingerprint: A digest of everything that the result depends on besides the input.
    ///   - output: The output that was written, or `nil` if none was.
    ///   - verdict: The verdict, as the manifest spells it.
    ///   - reasonCode: The code of the first reason, or `nil` if there is none.
    ///   - manifestLine: The manifest's line, without its terminator.
    package init(
        inputPath: [UInt8], fileVersion: FileVersion, fingerprint: [UInt8], output: OutputFile?, verdict: String,
        reasonCode: String?,
        manifestLine: [UInt8]
    ) {
        self.inputPath = inputPath
        self.fileVersion = fileVersion
        self.fingerprint = fingerprint
        self.output = output
        self.verdict = verdict
        self.reasonCode = reasonCode
        self.manifestLine = manifestLine
    }
}
