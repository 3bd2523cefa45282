/// A bearer token that can be decoded from the response to a login.
package struct DecodableBearerToken: Decodable {
    package var token: BearerToken

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let token = BearerToken(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no token")
        }
        self.token = token
    }
}
