internal import Synchronization

/// A cache of interpretations of color profiles. The images of a directory mostly share them.
final class ColorInterpretationCache: Sendable {
    struct Key: Hashable {
        var description: ColorDescription
        var samples: StoredColorModel
    }

    static let shared = ColorInterpretationCache()

    /// The maximum number of interpretations. One takes up to 1.5 MiB, and its profile.
    private static let maxCount = 4

    /// The interpretations, oldest first.
    private let entries = Mutex<[(key: Key, interpretation: ColorInterpretation)]>([])

    /// Returns the interpretation for `key`, computed if it is not cached.
    ///
    /// It is computed inside the lock, so each one is computed once, and other threads wait for it meanwhile.
    func interpretation(for key: Key) -> ColorInterpretation {
        entries.withLock { entries in
            if let index = entries.firstIndex(where: { $0.key == key }) {
                let entry = entries.remove(at: index)
                entries.append(entry)
                return entry.interpretation
            }
            let interpretation = ColorInterpretation(key.description, samples: key.samples)
            if entries.count >= Self.maxCount { entries.removeFirst() }
            entries.append((key, interpretation))
            return interpretation
        }
    }
}
