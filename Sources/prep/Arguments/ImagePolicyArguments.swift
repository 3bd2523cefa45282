internal import ArgumentParser
internal import Batch
internal import MediaPrep
internal import SystemPackage

/// The options that determine which images are accepted. `--strict` is for audio, too. They mean the same in every
/// subcommand.
struct ImagePolicyArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Rules for images: throat, ear, or a JSON file with any of the rules "
                + ImageFault.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "throat|ear|file"))
    var imagePolicy: ImagePolicyArgument?

    @Flag(help: "Reject images and audio that break a rule which only warns.")
    var strict = false

    /// Returns the rules.
    ///
    /// - Parameter defaultPolicy: The rules without `--image-policy`.
    /// - Throws: `BatchError` if the policy cannot be read or is invalid.
    func makePolicy(default defaultPolicy: ImagePolicy = ImagePolicy()) throws(BatchError) -> ImagePolicy {
        let policy: ImagePolicy =
            switch imagePolicy {
            case .builtIn(let policy): policy
            case .file(let path): try PolicyFile(path: path).readPolicy(ImagePolicy.self)
            case nil: defaultPolicy
            }
        return strict ? policy.settingAction(.reject) : policy
    }

    /// Checks that `--strict` has an effect.
    ///
    /// - Parameter hasOtherPolicy: Whether other options have rules.
    /// - Throws: `ValidationError` if there are no rules that `--strict` could apply to.
    func validateStrict(hasOtherPolicy: Bool) throws {
        if strict && imagePolicy == nil && !hasOtherPolicy {
            throw ValidationError("--strict requires --image-policy or --audio-policy.")
        }
    }

    /// The file with the rules, or `nil` if there is none.
    var policyPath: FilePath? {
        if case .file(let path) = imagePolicy { path } else { nil }
    }
}

/// The name of a built-in policy, or the path of a file. `./throat` is a file.
enum ImagePolicyArgument: ExpressibleByArgument {
    case builtIn(ImagePolicy)
    case file(FilePath)

    init?(argument: String) {
        if let policy = ImagePolicy.builtIn[argument] {
            self = .builtIn(policy)
        } else if let path = PathArgument(argument: argument) {
            self = .file(path.path)
        } else {
            return nil
        }
    }
}
