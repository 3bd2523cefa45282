// `unsafe`: a copy into memory that has no bytes yet.

extension OutputRawSpan {
    /// Appends bytes that there is room for.
    mutating func append(contentsOf bytes: ArraySlice<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        unsafe withUnsafeMutableBytes { target, filled in
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyBytes(from: bytes)
            filled += bytes.count
        }
    }
}
