internal import AudioProbe
internal import Inputs

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Probing audio files including opening them; the floor is reading the same file.
public enum ProbeJobs {
    /// Samples whose header or index states the duration, and an hour of each kind that must be scanned.
    public static func all() -> [Job] {
        let samples = ["visit-note.wav", "visit-note.flac", "visit-note.caf", "visit-note-position.m4a"]
        return samples.map { header(Files.recording($0)) } + RecordingInput.Kind.allCases.map(scan)
    }

    /// Repeats a thousand times, because such a file takes microseconds.
    private static func header(_ file: URL) -> Job {
        Job("ProbeAudio", "header(\(file.pathExtension), a thousand times)", 1000, .files) {
            ({ for _ in 0..<1000 { try probe(file) } }, Floors.read(file, times: 1000))
        }
    }

    private static func scan(_ kind: RecordingInput.Kind) -> Job {
        Job("ProbeAudio", "scan(\(kind.rawValue), an hour)", 1, .files) {
            let file = try Files.write(RecordingInput(kind).bytes, as: "hour.\(kind.rawValue)")
            return ({ try probe(file) }, Floors.read(file))
        }
    }

    private static func probe(_ file: URL) throws { _ = try Recording(contentsOf: file.path) }
}
