package import Imaging

/// The decoders that read JPEG and PNG files. Their results are identical.
public enum DecoderPreference: Sendable {
    /// The package's own decoders for the files and processors that they support; libjpeg and libpng for all others.
    case fastest
    /// libjpeg and libpng for all files.
    case systemLibraries

    private static let processDefault = ProcessDefault(DecoderPreference.fastest)

    /// The preference that is used where none is named.
    public static var selected: DecoderPreference { processDefault.value }

    /// Selects the preference that is used where none is named. Returns `false` if another is already in use.
    fileprivate static func select(_ preference: DecoderPreference) -> Bool { processDefault.set(preference) }
}

extension InstructionSet {
    /// The error of a selection that cannot take effect.
    package enum SelectionError: Error {
        /// The name is not that of a set, or this build or CPU does not have it.
        case unavailable
        /// Another set, or another decoder, is already in use.
        case tooLate
    }

    /// Selects the set that is used where none is named, by the value of the environment variable `PREP_SIMD`.
    ///
    /// With `portable`, libjpeg and libpng decode as well: only these libraries use code for one kind of CPU.
    ///
    /// - Parameter name: the name of a set; `nil` or empty for no selection.
    /// - Throws: ``SelectionError``.
    package static func select(named name: String?) throws(SelectionError) {
        guard let name, !name.isEmpty else { return }
        guard let set = InstructionSet(rawValue: name), set.isAvailable else { throw .unavailable }
        guard select(set), DecoderPreference.select(set == .portable ? .systemLibraries : .fastest) else {
            throw .tooLate
        }
    }
}
