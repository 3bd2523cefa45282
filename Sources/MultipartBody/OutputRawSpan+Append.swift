// `unsafe`: copies into memory that is not yet initialized.

extension OutputRawSpan {
    /// Appends the bytes. The span must have room for all of them.
    mutating func append(contentsOf bytes: ArraySlice<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        unsafe withUnsafeMutableBytes { target, filled in
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyBytes(from: bytes)
            filled += bytes.count
        }
    }
}
