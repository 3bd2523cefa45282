import HTTPCalls
import HTTPTestSupport
import PetVisitsAPI

/// Returns a client with a token and short delays.
func makeAPI(_ transport: StubTransport) -> PetVisitsClient {
    PetVisitsClient(baseEndpoint: .test, client: HTTPClient(stub: transport))
}
