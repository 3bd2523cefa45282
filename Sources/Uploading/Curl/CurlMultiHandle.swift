// `unsafe`: owns a C handle.

internal import CCurlShim

/// libcurl's multi handle for concurrent transfers.
///
/// Unchecked `Sendable`: `wake` may be called on any thread (curl_multi_wakeup). All else is called only on the event
/// loop's thread. The handle is freed with the last reference, which is that thread's if it was started.
@safe final class CurlMultiHandle: @unchecked Sendable {
    private static let isLibcurlInitialized = prep_curl_global_init()

    /// Owned; destroyed in `deinit`.
    private let handle: OpaquePointer

    /// Creates a handle, and initializes libcurl if this is the first one.
    ///
    /// - Returns: `nil` if libcurl cannot be used.
    init?() {
        guard Self.isLibcurlInitialized, let handle = unsafe prep_curl_multi_create() else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe prep_curl_multi_destroy(handle) }

    /// Adds a transfer.
    ///
    /// - Returns: `false` if the handle cannot be used.
    func addTransfer(_ easy: borrowing CurlEasyHandle) -> Bool { unsafe prep_curl_multi_add(handle, easy.handle) }

    func removeTransfer(_ easy: borrowing CurlEasyHandle) { unsafe prep_curl_multi_remove(handle, easy.handle) }

    /// Runs all transfers as far as possible without waiting.
    func performTransfers() { unsafe prep_curl_multi_perform(handle) }

    /// Returns a transfer that has ended, or `nil` if there is none. The caller must remove it next.
    func nextFinishedTransfer() -> (exchange: CurlCallbackContext, outcome: prep_curl_outcome)? {
        var outcome = prep_curl_outcome.done
        guard let context = unsafe prep_curl_multi_next_completed(handle, &outcome) else { return nil }
        return (unsafe Unmanaged<CurlCallbackContext>.fromOpaque(context).takeUnretainedValue(), outcome)
    }

    /// Waits for network activity, for `wake`, or for at most the given number of milliseconds.
    func waitForActivity(milliseconds: Int32) { unsafe prep_curl_multi_wait(handle, milliseconds) }

    /// Interrupts the current wait, or the next one if none is in progress. Can be called on any thread.
    func wake() { unsafe prep_curl_multi_wake(handle) }
}
