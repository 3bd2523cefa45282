internal import Foundation
internal import GRDB

/// The API of the messages between users. The login and the call that marks a message as read are assumed.
struct MessagesRoutes: Sendable {
    let store: BackendStore
    let account: Account

    func respond(to request: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse? {
        let segments = request.path.split(separator: "/").dropFirst().map(String.init)
        switch (request.method, segments.count, segments.first, segments.last) {
        case ("POST", 2, "auth", "login"): return try await logIn(request)
        case ("POST", 1, "messages", _): return try await send(request, idempotencyKey: idempotencyKey)
        case ("GET", 1, "messages", _): return try await list(request)
        case ("GET", 2, "messages", "unread-count"): return try await countUnread()
        case ("GET", 3, "messages", let other?) where segments[1] == "conversation":
            return try await conversation(with: other, request)
        case ("PUT", 3, "messages", "read"): return try await markAsRead(segments[1])
        default: return nil
        }
    }

    private func logIn(_ request: IncomingRequest) async throws -> JSONResponse {
        let (login, _) = try await request.decodeJSON(LoginRequest.self)
        return try await store.writeInTransaction { database in
            guard let id = try login.accountID(table: "person", in: database) else {
                throw LoginRequest.invalidCredentials
            }
            let content = MessageBodies.Login(
                token: try TokenTable.issueToken(for: id, of: .messages, in: database),
                user: try Person.find(id, in: database))
            return JSONResponse(encoding: MessageBodies.Success(data: content))
        }
    }

    private func send(_ request: IncomingRequest, idempotencyKey: String?) async throws -> JSONResponse {
        let (message, digest) = try await request.decodeJSON(MessageBodies.SendRequest.self)
        guard let content = message.content, !content.allSatisfy(\.isWhitespace) else {
            throw ErrorResponse(status: 400, code: "no-content", message: "El contenido es obligatorio")
        }
        return try await store.respondOnce(idempotencyKey: idempotencyKey, requestDigest: digest) {
            [account] database in
            let sender = try Person.owner(of: account, in: database)
            guard let id = message.to_user_id, let recipient = try? Person.find(id, in: database) else {
                throw ErrorResponse(status: 404, code: "no-user", message: "Usuario no encontrado")
            }
            guard recipient._id != sender._id else {
                throw ErrorResponse(status: 400, code: "own-user", message: "No puedes enviarte mensajes")
            }
            let messageID = String(UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(24))
            try database.execute(
                sql: "INSERT INTO message VALUES (?, ?, ?, ?, ?, NULL)",
                arguments: [messageID, sender._id, recipient._id, content, TimestampFormat.nowWithMilliseconds])
            let stored = try StoredMessage.find(messageID, hasTimes: true, in: database)
            return JSONResponse(
                encoding: MessageBodies.Success(
                    message: "Mensaje enviado exitosamente", data: MessageBodies.Sent(message: stored)),
                status: 201)
        }
    }

    // MARK: Reading

    private func list(_ request: IncomingRequest) async throws -> JSONResponse {
        let conditions = [
            ("unread_only", "recipient = :owner AND read IS NULL"), ("sent_only", "sender = :owner"),
            ("received_only", "recipient = :owner"),
        ].filter { request.queryValue(named: $0.0) == "true" }.map(\.1)
        let condition = (conditions + ["(sender = :owner OR recipient = :owner)"]).joined(separator: " AND ")
        return try await page(request, where: condition, other: nil, defaultLimit: 20)
    }

    private func conversation(with other: String, _ request: IncomingRequest) async throws -> JSONResponse {
        let condition =
            "(sender = :owner AND recipient = :other OR sender = :other AND recipient = :owner)"
        return try await page(request, where: condition, other: other, defaultLimit: 50)
    }

    /// Responds with a page of messages, the newest first.
    ///
    /// - Parameter condition: SQL without values of the request.
    private func page(
        _ request: IncomingRequest, where condition: String, other: String?, defaultLimit: Int
    ) async throws -> JSONResponse {
        let page = try request.queryNumber(named: "page", in: 1...1_000_000, default: 1)
        let limit = try request.queryNumber(named: "limit", in: 1...100, default: defaultLimit)
        return try await store.readFromDatabase { [account] database in
            let owner = try Person.owner(of: account, in: database)
            let otherUser = try other.map { id in
                guard let user = try? Person.find(id, in: database) else {
                    throw ErrorResponse(status: 404, code: "no-user", message: "Usuario no encontrado")
                }
                return user
            }
            let arguments: StatementArguments = ["owner": owner._id]
            let values = other.map { arguments + ["other": $0] } ?? arguments
            let total =
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM message WHERE \(condition)", arguments: values) ?? 0
            let ids = try String.fetchAll(
                database,
                sql:
                    "SELECT id FROM message WHERE \(condition) "
                    + "ORDER BY sent DESC, rowid DESC LIMIT :limit OFFSET :skip",
                arguments: values + ["limit": limit, "skip": (page - 1) * limit])
            let pages = max(1, (total + limit - 1) / limit)
            let data = MessageBodies.MessagesData(
                messages: try ids.map { try StoredMessage.find($0, hasTimes: other == nil, in: database) },
                other_user: otherUser,
                pagination: MessageBodies.Pagination(
                    current_page: page, total_pages: pages, total_messages: total, has_next: page < pages,
                    has_prev: page > 1))
            return JSONResponse(encoding: MessageBodies.Success(data: data))
        }
    }

    private func countUnread() async throws -> JSONResponse {
        try await store.readFromDatabase { [account] database in
            let owner = try Person.owner(of: account, in: database)
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM message WHERE recipient = ? AND read IS NULL",
                arguments: [owner._id])
            return JSONResponse(
                encoding: MessageBodies.Success(data: MessageBodies.UnreadCount(unread_count: count ?? 0)))
        }
    }

    /// Marks a message as read. Only its recipient may.
    private func markAsRead(_ id: String) async throws -> JSONResponse {
        try await store.writeInTransaction { [account] database in
            let owner = try Person.owner(of: account, in: database)
            let message = try StoredMessage.find(id, hasTimes: true, in: database)
            guard message.to_user_id._id == owner._id else { throw ErrorResponse.forbidden }
            try database.execute(
                sql: "UPDATE message SET read = coalesce(read, ?) WHERE id = ?",
                arguments: [TimestampFormat.nowWithMilliseconds, id])
            let read = try StoredMessage.find(id, hasTimes: true, in: database)
            return JSONResponse(encoding: MessageBodies.Success(data: MessageBodies.Sent(message: read)))
        }
    }
}
