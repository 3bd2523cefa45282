// `unsafe`: owns a C handle.

internal import CCurlShim

/// libcurl's handle for transfers that run side by side.
///
/// Unchecked: `wake` is what libcurl allows on any thread (curl_multi_wakeup). The rest is called by the loop's thread
/// alone, and the handle is freed with the last reference: that thread's, if it was started.
@safe final class CurlMultiHandle: @unchecked Sendable {
    private static let isLibcurlInitialized = prep_curl_global_init()

    /// Owned.
    private let handle: OpaquePointer

    /// Nil if libcurl can't be used.
    init?() {
        guard Self.isLibcurlInitialized, let handle = unsafe prep_curl_multi_create() else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe prep_curl_multi_destroy(handle) }

    /// False if the handle can't be used.
    func addTransfer(_ easy: borrowing CurlEasyHandle) -> Bool { unsafe prep_curl_multi_add(handle, easy.handle) }

    func removeTransfer(_ easy: borrowing CurlEasyHandle) { unsafe prep_curl_multi_remove(handle, easy.handle) }

    /// Does what can be done without waiting.
    func performTransfers() { unsafe prep_curl_multi_perform(handle) }

    /// A transfer that ended, to be removed next.
    func nextFinishedTransfer() -> (exchange: CurlCallbackContext, outcome: prep_curl_outcome)? {
        var outcome = prep_curl_outcome.done
        guard let context = unsafe prep_curl_multi_next_completed(handle, &outcome) else { return nil }
        return (unsafe Unmanaged<CurlCallbackContext>.fromOpaque(context).takeUnretainedValue(), outcome)
    }

    /// Waits for the network, for `wake`, or for so many milliseconds.
    func waitForActivity(milliseconds: Int32) { unsafe prep_curl_multi_wait(handle, milliseconds) }

    /// Ends the wait, or the next one. On any thread.
    func wake() { unsafe prep_curl_multi_wake(handle) }
}
