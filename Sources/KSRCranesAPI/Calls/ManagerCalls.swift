public import HTTPCalls
internal import HTTPTypes

extension KSRCranesClient {
    /// The calls of a manager.
    public var manager: ManagerCalls { ManagerCalls(client: self) }

    /// The calls of a manager. Another role is
    /// refused: `KSRCranesError.httpError` with 403.
    public struct ManagerCalls: Sendable {
        let client: KSRCranesClient
        private var paths: RolePaths { client.assumptions.rolePaths }

        /// Returns the work entries that wait for their approval.
        public func pendingWorkEntries() async throws(KSRCranesError) -> [WorkEntry] {
            try await client.send(.get, paths.pendingWorkEntries)
        }

        /// Approves a work entry.
        ///
        /// - Parameter id: The entry's id.
        /// - Returns: The server's response.
        public func approveWorkEntry(id: Int) async throws(KSRCranesError) -> MessageResponse {
            try await client.send(.put, paths.approveWorkEntry, id: id)
        }

        /// Returns the members of the team.
        public func teamMembers() async throws(KSRCranesError) -> [TeamMember] {
            try await client.send(.get, paths.teamMembers)
        }

        /// Changes the state of a member of the team.
        ///
        /// - Parameters:
        ///   - id: The member's id.
        ///   - status: The new state, such as `active`.
        /// - Returns: The server's response.
        public func updateTeamMember(id: Int, status: String) async throws(KSRCranesError) -> MessageResponse {
            try await client.send(.put, paths.teamMemberStatus, id: id, body: StatusChange(status: status))
        }

        /// Uploads the signature. The request is not retried if the server may have processed it.
        ///
        /// - Parameter file: The image, a JPEG.
        /// - Returns: The server's response.
        public func submitSignature(_ file: MediaFile) async throws(KSRCranesError) -> SignatureResponse {
            try await client.uploadSignature(file)
        }
    }
}
