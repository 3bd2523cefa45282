internal import AudioProbe
internal import Inputs

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Recordings, opening included, against the plain reading of the same file.
public enum ProbeJobs {
    /// Those of the samples whose header or index tells the length, and an hour of each kind that must be scanned.
    public static func all() -> [Job] {
        let samples = ["visit-note.wav", "visit-note.flac", "visit-note.caf", "visit-note-position.m4a"]
        return samples.map { header(Files.recording($0)) } + RecordingInput.Kind.allCases.map(scan)
    }

    /// Such a file takes microseconds: a thousand times together.
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
