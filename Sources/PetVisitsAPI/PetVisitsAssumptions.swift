public import HTTPCalls

extension PetVisitsClient {
    /// The parts of the API that the specification does not define.
    ///
    /// It names the calls and the members of their models, but no paths, methods or keys of the JSON: its database has
    /// `pet_id` and `appointment_id`, its Swift types have `petId`. In the paths, `{appointment_id}` and `{visit_id}`
    /// stand for the ids.
    public struct Assumptions: AssumedFieldNames, Hashable, Sendable {
        /// The path of an appointment with its pets. GET is assumed.
        public var appointmentPath = "/api/appointments/{appointment_id}"
        /// The path of the visits of an appointment. GET is assumed.
        public var visitsPath = "/api/appointments/{appointment_id}/visits"
        /// The path of the transcripts of an appointment. GET is assumed.
        public var transcriptsPath = "/api/appointments/{appointment_id}/transcripts"
        /// The path of the announcement of an upload. POST is assumed.
        public var initiationPath = "/api/audio/initiate"
        /// The path of the audio of a visit. POST of a form is assumed.
        public var audioPath = "/api/visits/{visit_id}/audio"
        /// The name of the part that contains the audio.
        public var audioPartName = "audio"
        /// The code of the server's error if the visit has audio already.
        public var alreadyRecordedCode = "already-recorded"
        /// The keys of the server's JSON by the assumed keys, which are the keys of this dictionary.
        public var fieldNames = [String: String].unchanged(
            "id", "name", "pets", "visits", "visit_id", "pet_id", "appointment_id", "filename", "content_type",
            "estimated_duration_seconds", "duration_seconds", "transcripts", "transcript")

        /// Creates the assumptions that `dev-backend` shares.
        public init() {}

        package func appointmentEndpoint(id: String, base: Endpoint) -> Endpoint {
            base.appendingPath(appointmentPath, values: ["{appointment_id}": id])
        }
        package func visitsEndpoint(appointmentID: String, base: Endpoint) -> Endpoint {
            base.appendingPath(visitsPath, values: ["{appointment_id}": appointmentID])
        }
        package func transcriptsEndpoint(appointmentID: String, base: Endpoint) -> Endpoint {
            base.appendingPath(transcriptsPath, values: ["{appointment_id}": appointmentID])
        }
        package func initiationEndpoint(base: Endpoint) -> Endpoint { base.appendingPath(initiationPath) }
        package func audioEndpoint(visitID: String, base: Endpoint) -> Endpoint {
            base.appendingPath(audioPath, values: ["{visit_id}": visitID])
        }
    }
}
