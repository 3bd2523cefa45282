import Foundation
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("Rules for images")
struct ImagePolicyTests {
    private func decode(_ json: String) throws -> ImagePolicy {
        try JSONDecoder().decode(ImagePolicy.self, from: Data(json.utf8))
    }

    @Test(
        "An invalid policy is an error that names the rule",
        arguments: [
            (#"{"too-blurry": {"limit": 1, "action": "warn"}}"#, "too-blurry"),
            (#"{"glare": {"limit": -1, "action": "warn"}}"#, "glare"),
            (#"{"glare": {"action": "warn"}}"#, "limit"),
            (#"{"glare": {"limit": 1}}"#, "action"),
            (#"{"glare": {"limit": 1, "action": "delete"}}"#, "action"),
            (#"{"glare": 1}"#, "glare"),
        ])
    func invalidPolicyIsAnError(_ json: String, _ name: String) {
        let error = #expect(throws: DecodingError.self) { try decode(json) }
        #expect(error.map { "\($0)".contains(name) } == true)
    }

    @Test("A policy is stored and read again")
    func policyRoundTrips() throws {
        for policy in ImagePolicy.builtIn.values {
            #expect(try JSONDecoder().decode(ImagePolicy.self, from: JSONEncoder().encode(policy)) == policy)
        }
        #expect(try decode("{}") == ImagePolicy())
    }

    @Test("Every fault has a rule, whose limit itself is allowed", arguments: ImageFault.allCases)
    func limitItselfIsAllowed(_ fault: ImageFault) throws {
        let measures = try ImagePreparer().assess(contentsOf: SampleMedia.goodImage(named: "ear-444.jpg")).measures
        let limits = [-1, 1e9].map { ImagePolicy([fault: .init(limit: $0, action: .reject)]) }
        // Any measure is beyond one of them.
        let violations = limits.flatMap { $0.violations(of: measures) }
        let measured = try #require(violations.first).value
        let allowed = ImagePolicy([fault: .init(limit: measured, action: .reject)])
        #expect(allowed.violations(of: measures).isEmpty)
    }
}
