// `unsafe`: hands the encoder's memory over to `Data`.

internal import ImageCodecs

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Data {
    /// Creates data in the memory of `bytes`, without a copy.
    init(takingOver bytes: consuming AllocatedBytes) {
        let memory = unsafe bytes.takeMemory()
        if let base = memory.baseAddress {
            unsafe self.init(bytesNoCopy: base, count: memory.count, deallocator: .free)
        } else {
            self.init()
        }
    }
}
