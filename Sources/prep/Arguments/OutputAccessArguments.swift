internal import ArgumentParser
internal import Batch

/// The option that determines who can read the created files.
struct OutputAccessArguments: ParsableArguments {
    @Flag(
        name: .customLong("public-outputs"),
        help: ArgumentHelp(
            "Let everyone whom the umask allows read and write all created files. Default: an output has the "
                + "permissions of its input, and only the owner can read manifests, ledgers, reports and responses."))
    var isPublic = false

    var outputAccess: OutputAccess { isPublic ? .everyone : .sameAsInputs }
}
