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
        return samples.map { header(Files.sampleAudio($0)) } + AudioInput.Kind.allCases.map(scan)
    }

    /// Repeats a thousand times, because such a file takes microseconds.
    private static func header(_ file: URL) -> Job {
        Job(area: "ProbeAudio", variant: "header(\(file.pathExtension), a thousand times)", count: 1000, unit: .files) {
            ({ for _ in 0..<1000 { try probe(file) } }, Floors.read(file, times: 1000))
        }
    }

    private static func scan(_ kind: AudioInput.Kind) -> Job {
        Job(area: "ProbeAudio", variant: "scan(\(kind.rawValue), an hour)", count: 1, unit: .files) {
            let file = try Files.write(AudioInput(kind).bytes, as: "hour.\(kind.rawValue)")
            return ({ try probe(file) }, Floors.read(file))
        }
    }

    private static func probe(_ file: URL) throws { _ = try Recording(contentsOf: file.path) }
}
