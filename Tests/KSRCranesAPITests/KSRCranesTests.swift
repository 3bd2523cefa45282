import HTTPTestSupport
import Foundation
import HTTPCalls
import HTTPTypes
import KSRCranesAPI
import MultipartBody
import Testing

@Suite("KSRCranes: calls, errors and dates")
struct KSRCranesTests {
    private static let base = "https://backend.test/v1/api/app"
    private static let employee =
        #"{"employee_id":7,"name":"W","role":"worker","created_at":"2025-06-01T00:00:00.250000Z"}"#

    private func makeAPI(_ transport: StubTransport) -> KSRCranesClient {
        KSRCranesClient(baseEndpoint: .test, client: HTTPClient(stub: transport))
    }

    private func thrownError(for response: TransportResponse) async -> KSRCranesError? {
        do throws(KSRCranesError) {
            _ = try await makeAPI(StubTransport(response)).profile()
            return nil
        } catch {
            return error
        }
    }

    private struct Entry: Codable, Equatable {
        var workDate: Date
        var hours: Double

        enum CodingKeys: String, CodingKey {
            case workDate = "work_date"
            case hours
        }
    }

    @Test("models are encoded and decoded, with dates of six fractional digits")
    func anyModelRoundTripsWithSixDigitDates() async throws {
        let json = #"{"hours":7.5,"work_date":"2025-06-30T08:15:00.250000Z"}"#
        let transport = StubTransport(.json(json))
        let api = makeAPI(transport)
        let entry = Entry(workDate: Date(timeIntervalSince1970: 1_751_271_300.25), hours: 7.5)
        #expect(
            try await api.get(path: "/api/app/entries", query: [FormField(name: "from day", value: "1&2")]) == entry)
        #expect(try await api.post(path: "/api/app/entries", body: entry) == entry)
        #expect(try await api.put(path: "api/app/entries/7", body: entry) == entry)
        #expect(try await api.delete(path: "/api/app/entries/7") == entry)
        #expect(
            transport.calls == [
                "GET \(Self.base)/entries?from%20day=1%262", "POST \(Self.base)/entries", "PUT \(Self.base)/entries/7",
                "DELETE \(Self.base)/entries/7",
            ])
        #expect(transport.requests.map(\.text) == ["", json, json, ""])
        #expect(transport.requests.allSatisfy { $0.bearerToken == BearerToken(secret) })
    }

    @Test(
        "dates are parsed with any number of fractional digits",
        arguments: [
            "2025-06-30T08:15:00Z", "2025-06-30T08:15:00.0Z", "2025-06-30T08:15:00.000Z", "2025-06-30T08:15:00.000000Z",
        ])
    func datesAreReadWithAnyFraction(_ text: String) throws {
        let json = Data(#"{"hours":1,"work_date":"\#(text)"}"#.utf8)
        let entry = try KSRCranesClient.makeJSONDecoder().decode(Entry.self, from: json)
        #expect(entry.workDate == Date(timeIntervalSince1970: 1_751_271_300))
    }

    @Test("a date that cannot be formatted is not sent")
    func unwritableDateIsNotSent() async throws {
        let transport = StubTransport(.json("{}"))
        let entry = Entry(workDate: .distantFuture.addingTimeInterval(1e12), hours: 1)
        await #expect(throws: KSRCranesError.self) {
            try await makeAPI(transport).post(path: "/api/app/entries", body: entry, as: Entry.self)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("the login, the profile and the removal of the image")
    func loginProfileAndRemovalCalls() async throws {
        let transport = StubTransport { request in
            switch (request.method, "\(request.endpoint)".hasSuffix("login")) {
            case (.post, true): .json(#"{"token":"\#(secret)","employee":\#(Self.employee)}"#)
            case (.get, _): .json(Self.employee)
            default: .json(#"{"success":true,"message":"Done."}"#)
            }
        }
        let api = makeAPI(transport)
        let login = try await api.login(email: "w@example.com", password: "hunter2")
        #expect(login.employee.id == 7 && login.employee.role == "worker" && login.token == BearerToken(secret))
        let profile = try await api.profile()
        #expect(profile == login.employee)
        #expect(profile.createdAt == Date(timeIntervalSince1970: 1_748_736_000.25))
        #expect(try await api.updateProfile(name: "V") == "Done.")
        #expect(try await api.deleteProfileImage() == "Done.")
        #expect(
            transport.calls == [
                "POST \(Self.base)/login", "GET \(Self.base)/profile", "PUT \(Self.base)/profile",
                "DELETE \(Self.base)/profile-image",
            ])
        #expect(transport.requests.map { $0.bearerToken != nil } == [false, true, true, true])
        #expect(transport.requests[2].text == #"{"name":"V"}"#)
    }

    @Test("images are sent as profile.jpg and signature.jpg")
    func imagesAreSentUnderFixedNames() async throws {
        let transport = StubTransport(
            .json(#"{"success":true,"message":"Done.","image_url":"/images/1.jpg"}"#),
            .json(
                """
                {"success":true,"message":"Done.","signature_url":"/signatures/1.jpg",
                "signed_at":"2025-06-30T08:15:00.000000Z"}
                """))
        let api = makeAPI(transport)
        let image = try await api.uploadProfileImage(.makeImage(), fields: [FormField(name: "caption", value: "me")])
        #expect(image.imageURL == "/images/1.jpg")
        let signature = try await api.uploadSignature(.makeImage())
        #expect(signature.signatureURL == "/signatures/1.jpg")
        #expect(signature.signedAt == Date(timeIntervalSince1970: 1_751_271_300))
        #expect(transport.calls == ["POST \(Self.base)/profile-image", "POST \(Self.base)/signature"])
        #expect(
            transport.requests[0].text == """
                --B\r
                Content-Disposition: form-data; name="caption"\r
                \r
                me\r
                --B\r
                Content-Disposition: form-data; name="profile_image"; filename="profile.jpg"\r
                Content-Type: image/jpeg\r
                \r
                JPEG\r
                --B--\r\n
                """)
        #expect(transport.requests[1].text.contains(#"name="signature"; filename="signature.jpg""#))
    }

    @Test("files of any type are sent in a form")
    func filesAreSentAsForm() async throws {
        let transport = StubTransport(.json("[1]"))
        let file = MultipartPart.file(
            name: "scan", filename: "a.pdf", mediaType: "application/pdf", content: .bytes([65]))
        let answer = try await makeAPI(transport).uploadMultipart(
            path: "/api/app/scans", fields: [FormField(name: "a", value: "1")], files: [file, file], as: [Int].self)
        #expect(answer == [1])
        #expect(transport.requests[0].text.matches(of: /filename="a\.pdf"/).count == 2)
    }

    @Test("a form with an invalid media type is an invalid item, and is not sent")
    func invalidFormIsInvalidItem() async throws {
        let transport = StubTransport(.json("[1]"))
        let file = MultipartPart.file(name: "scan", filename: "a.pdf", mediaType: "pdf\r\n", content: .bytes([65]))
        let error = await #expect(throws: KSRCranesError.self) {
            try await makeAPI(transport).uploadMultipart(path: "/api/app/scans", files: [file], as: [Int].self)
        }
        guard case .callError(let error)? = error else { throw try #require(error) }
        #expect(error.code == .invalidItem)
        #expect(transport.requests.isEmpty)
    }

    @Test("each kind of failure is a case with a message")
    func everyFailureIsATypedError() async throws {
        let table: [(TransportResponse, String)] = [
            (.json(401, #"{"error":true,"message":"Expired."}"#), "the login is missing, wrong or expired"),
            (
                .json(422, #"{"error":true,"message":"No.","errors":["name is required","role is unknown"]}"#),
                "the server refused what was sent: name is required, role is unknown"
            ),
            (.json(422, #"{"error":true,"message":"No."}"#), "the server answered 422: No."),
            (.json(404, "<html>"), "the server answered 404"),
            (.json(200, #"{"success":false,"message":"Database down."}"#), "the server failed: Database down."),
            (.json(200, #"{"error":true,"message":"No."}"#), "the server failed: No."),
            (.json(500, #"{"error":true,"message":"Oops."}"#), "the server answered 500: Oops."),
        ]
        for (response, expected) in table { #expect(await thrownError(for: response)?.description == expected) }
        for body in ["", "{}", #"{"employee_id":"\#(secret)"}"#] {
            let error = await thrownError(for: .json(200, body))
            guard case .decodingError? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(!"\(String(describing: error))".contains(secret))
        }
    }

    @Test("a failed connection is a network error")
    func missingConnectionIsNetworkError() async throws {
        let transport = StubTransport { (_) throws(TransportError) in
            throw TransportError(code: .connectionFailed, message: "nobody listens")
        }
        do throws(KSRCranesError) {
            _ = try await makeAPI(transport).profile()
            Issue.record("nothing was thrown")
        } catch {
            guard case .networkError = error else { throw error }
            #expect(error.description.contains("nobody listens"))
        }
    }

    @Test("only a JPEG is sent", arguments: ["image/png", "audio/mp4"])
    func onlyJPEGIsSent(_ type: String) async throws {
        let transport = StubTransport(.json("{}"))
        let file = MediaFile(content: .bytes([1]), mediaType: type, filename: "a")
        await #expect(throws: KSRCranesError.self) { try await makeAPI(transport).uploadSignature(file) }
        await #expect(throws: KSRCranesError.self) { try await makeAPI(transport).uploadProfileImage(file) }
        #expect(transport.requests.isEmpty)
    }
}
