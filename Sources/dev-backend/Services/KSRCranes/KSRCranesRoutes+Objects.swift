internal import GRDB
internal import JSONValues

/// Responses with the stored objects.
extension KSRCranesRoutes {
    /// Returns the number in a segment of a path.
    ///
    /// - Throws: `not-found`.
    static func id(_ segment: String) throws -> Int {
        guard let id = Int(segment) else { throw ErrorResponse.notFound }
        return id
    }

    func read(_ work: @escaping @Sendable (CraneObjects) throws -> JSONValue) async throws -> JSONResponse {
        try await store.readFromDatabase { JSONResponse(encoding: try work(CraneObjects(database: $0))) }
    }

    /// Responds with all objects of a kind.
    ///
    /// - Parameter key: The key of the list; `nil` for a list without an object around it.
    func list(_ kind: String, key: String? = nil) async throws -> JSONResponse {
        try await read { objects in
            let list = JSONValue.array(try objects.all(kind).map { .object($0) })
            return key.map { .object([$0: list]) } ?? list
        }
    }

    /// Responds with a page of the objects of a kind. A member of each contains the text to search for.
    func page(_ request: IncomingRequest, _ kind: String, key: String) async throws -> JSONResponse {
        let page = try request.queryNumber(named: "page", in: 1...1_000_000, default: 1)
        let limit = try request.queryNumber(named: "limit", in: 1...100, default: 50)
        let search = request.queryValue(named: "search")?.lowercased()
        return try await read { objects in
            let found = try objects.all(kind).filter { object in
                guard let search else { return true }
                return object.values.contains { $0.displayText?.lowercased().contains(search) == true }
            }
            return .object([
                key: .array(found.dropFirst((page - 1) * limit).prefix(limit).map { .object($0) }),
                "total": .integer(Int64(found.count)), "page": .integer(Int64(page)), "limit": .integer(Int64(limit)),
            ])
        }
    }

    /// Reads the object of a request.
    ///
    /// - Returns: Its members, and the digest of the request.
    /// - Throws: `validation-failed` with a sentence for each member that is missing or has another type.
    func readMembers(
        of request: IncomingRequest, schema: CraneSchema
    ) async throws -> (members: CraneObjects.Members, digest: String) {
        let (members, digest) = try await request.decodeJSON(CraneObjects.Members.self)
        let errors = schema.errors(in: members)
        guard errors.isEmpty else { throw Self.validationError(errors) }
        return (members, digest)
    }

    /// Stores the object of a request.
    ///
    /// - Parameters:
    ///   - schema: The members that the object must have.
    ///   - answer: Returns the members of a response with a message that stand for the object; `nil` for a response
    ///     that is the object.
    ///   - completing: Adds members of the server.
    /// - Throws: `validation-failed`.
    func create(
        _ request: IncomingRequest, _ kind: String, _ idempotencyKey: String?, schema: CraneSchema,
        answer: (@Sendable (CraneObjects.Members) -> CraneObjects.Members)? = nil,
        completing: @escaping @Sendable (CraneObjects.Members) -> CraneObjects.Members = { $0 }
    ) async throws -> JSONResponse {
        let (members, digest) = try await readMembers(of: request, schema: schema)
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) { database in
            let object = try CraneObjects(database: database).insert(kind, completing(members))
            let message: CraneObjects.Members = ["success": .bool(true), "message": .string("Saved")]
            let body = answer.map { message.merging($0(object)) { $1 } } ?? object
            return JSONResponse(encoding: JSONValue.object(body), status: 201)
        }
    }

    /// Changes objects, and responds with a message.
    func change<Result>(_ work: @escaping @Sendable (CraneObjects) throws -> Result) async throws -> JSONResponse {
        try await store.writeInTransaction { database in
            _ = try work(CraneObjects(database: database))
            return JSONResponse(encoding: JSONValue.object(["success": .bool(true), "message": .string("Changed")]))
        }
    }
}
