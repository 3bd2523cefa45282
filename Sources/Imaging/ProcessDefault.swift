internal import Synchronization

/// A default value of the whole process, which can be set until it is used.
package struct ProcessDefault<Value: Equatable & Sendable>: ~Copyable, Sendable {
    private let state: Mutex<(value: Value, isInUse: Bool)>

    /// Creates a default that is `value` unless another is set.
    package init(_ value: Value) { state = Mutex((value, false)) }

    /// The value, which from now on cannot be changed.
    package var value: Value {
        state.withLock { state in
            state.isInUse = true
            return state.value
        }
    }

    /// Sets the value. Returns `false` if another is already in use.
    package func set(_ value: Value) -> Bool {
        state.withLock { state in
            if state.isInUse && state.value != value { return false }
            state.value = value
            return true
        }
    }
}
