import AudioProbe
import Diagnostics

/// Probes `bytes` as a file.
func probeBytes(_ bytes: [UInt8], quick: Bool = false) throws(AudioError) -> Recording {
    var options = ProbeOptions()
    options.isQuick = quick
    return try Recording(bytes: bytes, options: options)
}

/// Returns the code of the error that probing `bytes` throws, or `nil` if it throws none.
func probeErrorCode(_ bytes: [UInt8]) -> AudioError.Code? {
    do throws(AudioError) {
        _ = try probeBytes(bytes)
        return nil
    } catch {
        return error.code
    }
}

/// The codes of a recording's warnings.
func warningCodes(_ recording: Recording) -> [Diagnostic.Code] { recording.warnings.map(\.code) }
