/// The state of a value that is loaded asynchronously.
public enum Loadable<Value> {
    /// Loading has not begun.
    case idle
    /// The value is being loaded.
    case loading
    /// The value.
    case loaded(Value)
    /// The value could not be loaded.
    case error(AppError)

    /// The value; `nil` in any other state.
    public var value: Value? {
        if case .loaded(let value) = self { return value }
        return nil
    }

    /// The error; `nil` in any other state.
    public var error: AppError? {
        if case .error(let error) = self { return error }
        return nil
    }

    /// Whether the value is being loaded.
    public var isLoading: Bool {
        if case .loading = self { return true }
        return false
    }

    /// Returns the same state with the value transformed.
    ///
    /// - Parameter transform: Transforms the value.
    public func map<Result>(_ transform: (Value) -> Result) -> Loadable<Result> {
        switch self {
        case .idle: .idle
        case .loading: .loading
        case .loaded(let value): .loaded(transform(value))
        case .error(let error): .error(error)
        }
    }

    /// Creates the state after loading: ``loaded(_:)``, or ``error(_:)`` if `load` throws.
    ///
    /// - Parameter load: Loads the value.
    public init(catching load: () async throws(AppError) -> Value) async {
        do throws(AppError) { self = .loaded(try await load()) } catch { self = .error(error) }
    }
}

extension Loadable: Sendable where Value: Sendable {}
extension Loadable: Equatable where Value: Equatable {}
extension Loadable: Hashable where Value: Hashable {}
