public import HTTPCalls

/// A server of Pet Visits with one appointment.
public enum PetVisitsStub {
    /// The base URL of its calls.
    public static let base = "https://backend.test/v1/api"

    /// A server with one appointment of three pets. Its visits are named after the pets.
    public static func makeServer(
        initiate: TransportResponse? = nil, transfer: TransportResponse? = nil, visits: String = ""
    ) -> StubTransport {
        StubTransport { request in
            let path = "\(request.endpoint)".dropFirst(Self.base.count)
            let pet = request.text.firstMatch(of: /"pet_id":"(\w+)"/).map { String($0.1) } ?? "?"
            return switch path {
            case "/appointments/ABC123":
                .json(#"{"id":"ABC123","pets":[{"id":"Pet1","name":"A"},{"id":"Pet2","name":"B"},{"id":"Pet3"}]}"#)
            case "/appointments/ABC123/visits": .json(#"{"visits":[\#(visits)]}"#)
            case "/audio/initiate": initiate ?? .json(201, #"{"visit_id":"visit of \#(pet)"}"#)
            case "/visits/visit%20of%20Pet1/audio": transfer ?? Self.takenVisitResponse("Pet1")
            case "/visits/visit%20of%20Pet2/audio": transfer ?? Self.takenVisitResponse("Pet2")
            case "/visits/visit%20of%20Pet3/audio": transfer ?? Self.takenVisitResponse("Pet3")
            default: .json(404, #"{"error":true,"message":"Not there.","code":"not-found"}"#)
            }
        }
    }

    /// The response to the transfer of a pet's recording.
    public static func takenVisitResponse(_ pet: String) -> TransportResponse {
        .json(201, #"{"visit_id":"visit of \#(pet)","pet_id":"\#(pet)","appointment_id":"ABC123"}"#)
    }
}
