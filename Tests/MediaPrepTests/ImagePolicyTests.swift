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
            (#"{"glare": 1}"#, "glare"), (#"{"glare": null}"#, "glare"),
            (#"{"glare": {"limit": 1.5, "action": "warn"}}"#, "the limit is out of range: 1.5 (0.0 to 1.0)"),
        ])
    func invalidPolicyIsAnError(_ json: String, _ name: String) {
        let error = #expect(throws: DecodingError.self) { try decode(json) }
        #expect(error.map { "\($0)".contains(name) } == true)
    }

    @Test(
        "A limit outside of the range of its measure is an error",
        arguments: [
            (.tooBlurred, 1), (.tooDark, 255), (.tooBright, 255), (.glare, 1), (.lowContrast, 1), (.tooNoisy, 255),
            (.tooCompressed, 255), (.tooSmall, 65_535), (.upscaled, 1), (.noFieldOfView, 1),
        ] as [(ImageFault, Double)])
    func limitIsInRange(_ fault: ImageFault, _ highest: Double) throws {
        func decode(limit: Double) throws -> ImagePolicy {
            try self.decode(#"{"\#(fault.rawValue)": {"limit": \#(limit), "action": "warn"}}"#)
        }
        for limit in [0, highest] { #expect(try decode(limit: limit).rules[fault]?.limit == limit) }
        for limit in [-0.001, highest + 0.001] {
            #expect(throws: DecodingError.self) { try decode(limit: limit) }
        }
    }

    /// Otherwise a misspelled rule would silently allow everything. Images refuse it as well.
    @Test("A rule about a measure of audio that is null is an error", arguments: AudioFault.allCases)
    func nullIsNoAudioRule(_ fault: AudioFault) {
        let json = Data(#"{"\#(fault.rawValue)": null}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(AudioPolicy.self, from: json) }
        #expect(error.map { "\($0)".contains(fault.rawValue) } == true)
    }

    @Test(
        "A message has four decimals of the value, or as many as show that it is beyond the limit",
        arguments: [
            (0.1, "0.1"), (0.12344, "0.1234"), (0.12349, "0.1235"), (0.12496, "0.12496"), (0.12499996, "0.12499996"),
        ])
    func messageShowsThatTheValueIsBeyondTheLimit(_ sharpness: Double, _ shown: String) throws {
        let url = SampleMedia.goodImage(named: "ear-444.jpg")
        var measures = try ImagePreparer().assess(contentsOf: url).measures
        measures.sharpness = sharpness
        let policy = ImagePolicy([.tooBlurred: .init(limit: 0.125, action: .warn)])
        #expect(
            policy.violations(of: measures).map(\.message) == [
                "the sharpness is too low: \(shown) (at least 0.125)"
            ])
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
