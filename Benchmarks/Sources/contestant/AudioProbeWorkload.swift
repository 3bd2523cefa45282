internal import AudioProbe

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Finds the exact duration of every audio file in a directory, as `prep inspect` does.
struct AudioProbeWorkload: Workload {
    private let directory: String
    private let names: [String]
    private var seconds: [Double?] = []

    init(_ path: String) throws {
        directory = path
        names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    mutating func runOnce() throws -> Int {
        seconds.removeAll(keepingCapacity: true)
        for name in names {
            seconds.append(try Recording(contentsOf: directory + "/" + name).duration?.seconds)
        }
        return 0
    }

    /// Returns a line for each file: its name, a tab, and its seconds or nothing.
    func lastOutput() -> Data {
        let lines = zip(names, seconds).map { name, seconds in "\(name)\t\(seconds.map { "\($0)" } ?? "")\n" }
        return Data(lines.joined().utf8)
    }
}
