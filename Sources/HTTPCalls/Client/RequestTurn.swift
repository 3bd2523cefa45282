/// The turn of a request: the account to which it belongs, and its place among the requests in progress.
struct RequestTurn: Sendable {
    /// The passage of the rate limit gate when the call began, before it waited for its place.
    var arrival: RateLimitGate.Passage
    /// Provides the token; `nil` for a request without the client's token.
    var session: Session?
    /// The sign-in to which the request belongs; `nil` without a session.
    var signIn: SignIn?
    /// Has the request's place; `nil` if it needs none.
    var limiter: RequestLimiter?

    /// Gives the place to the next request.
    func end() { limiter?.leave() }
}
