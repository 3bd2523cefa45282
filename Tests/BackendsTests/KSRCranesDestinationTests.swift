import Backends
import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import KSRCranesAPI
import Testing
import Uploading

@Suite("KSR Cranes: uploads")
struct KSRCranesDestinationTests {
    private static let base = "https://backend.test/v1/api/app"

    @Test("only a JPEG is uploaded", arguments: ["image/png", "audio/mp4"], KSRCranesClient.ImageKind.allCases)
    func onlyJPEGIsUploaded(_ type: String, _ kind: KSRCranesClient.ImageKind) {
        let item = UploadItem(name: "a", bytes: [1], mediaType: type, filename: "a")
        #expect(throws: CallError.self) {
            try KSRCranesClient.Destination(baseEndpoint: .test, imageKind: kind).uploadKey(for: item)
        }
    }

    @Test(
        "the receipt of an upload is the image's URL",
        arguments: [
            (.profileImage, #"{"success":true,"message":"","image_url":"/i/1.jpg"}"#, .acknowledged),
            (
                .signature,
                #"{"success":true,"message":"","signature_url":"/i/1.jpg","signed_at":"2025-06-30T08:15:00Z"}"#,
                .acknowledged
            ),
            (.profileImage, #"{"success":true,"message":"","image_url":""}"#, .outcomeUnknown),
            (.profileImage, #"{"success":true,"message":""}"#, .outcomeUnknown),
            (.signature, #"{"success":false,"message":"No."}"#, .failed),
        ] as [(KSRCranesClient.ImageKind, String, UploadResult.Status)])
    func receiptIsImageLocation(_ kind: KSRCranesClient.ImageKind, _ body: String, _ status: UploadResult.Status)
        async throws
    {
        let transport = StubTransport(.json(body))
        let (results, _) = try await UploadHarness().upload(
            [.makeImage()], to: KSRCranesClient.Destination(baseEndpoint: .test, imageKind: kind),
            HTTPClient(stub: transport))
        #expect(results[0].status == status)
        #expect(results[0].serverID == (status == .acknowledged ? "/i/1.jpg" : nil))
        #expect(transport.calls == ["POST \(Self.base)/\(kind.rawValue)"])
        let filename = kind == .signature ? "signature.jpg" : "profile.jpg"
        #expect(transport.requests[0].text.contains(#"filename="\#(filename)""#))
    }
}
