// `unsafe`: hands buffers to the floors in C.

internal import CFloors

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The floors as tasks. Their memory is allocated once.
public enum Floors {
    /// libjpeg-turbo's entropy decode of a JPEG.
    public static func entropyDecode(_ bytes: [UInt8]) -> Job.Task {
        return {
            let blocks = unsafe bytes.withUnsafeBufferPointer { file in
                unsafe floor_read_coefficients(file.baseAddress, file.count)
            }
            if blocks < 0 { throw FloorFailure(name: "entropy decode") }
        }
    }

    /// libjpeg-turbo's entropy encode of the coefficients of a JPEG.
    static func entropyEncode(_ bytes: [UInt8], isProgressive: Bool) throws -> Job.Task {
        let coefficients = try Coefficients(bytes)
        return { try coefficients.write(isProgressive: isProgressive) }
    }

    /// zlib's inflate of a PNG's image data.
    static func inflate(_ bytes: [UInt8]) -> Job.Task {
        return {
            let count = unsafe bytes.withUnsafeBufferPointer { file in
                unsafe floor_inflate_png(file.baseAddress, file.count)
            }
            if count < 0 { throw FloorFailure(name: "inflate") }
        }
    }

    /// Reading a file, 256 KiB at a time.
    static func read(_ file: URL, times: Int = 1) -> Job.Task {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        return {
            for _ in 0..<times {
                let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
                    unsafe floor_read_file(file.path, buffer.baseAddress, buffer.count)
                }
                if count < 0 { throw FloorFailure(name: "read") }
            }
        }
    }
}

/// The error of a floor whose input is damaged or missing.
struct FloorFailure: Error {
    var name: String
}

/// The coefficients of a JPEG, in memory of C.
@safe private final class Coefficients {
    private let handle: OpaquePointer

    init(_ bytes: [UInt8]) throws {
        let handle = unsafe bytes.withUnsafeBufferPointer { file in
            unsafe floor_coefficients_create(file.baseAddress, file.count)
        }
        guard let handle = unsafe handle else { throw FloorFailure(name: "coefficients") }
        unsafe self.handle = handle
    }

    deinit { unsafe floor_coefficients_destroy(handle) }

    func write(isProgressive: Bool) throws {
        if unsafe floor_write_coefficients(handle, isProgressive ? 1 : 0) < 0 {
            throw FloorFailure(name: "entropy encode")
        }
    }
}
