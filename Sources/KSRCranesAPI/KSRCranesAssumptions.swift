public import HTTPCalls

extension KSRCranesClient {
    /// The parts of this client's calls that the specification does not define.
    ///
    /// It names the login, the two images and their models, but no paths, methods or keys of them. The part and the
    /// file name of the profile image and the members of ``MessageResponse`` are its own. It does not have the calls of
    /// the profile at all.
    public struct Assumptions: AssumedFieldNames, Hashable, Sendable {
        /// The path of the login. POST is assumed.
        public var loginPath = "/api/app/login"
        /// The path of the employee's profile. GET and PUT are assumed.
        public var profilePath = "/api/app/profile"
        /// The path of the employee's profile image. POST and DELETE are assumed.
        public var profileImagePath = "/api/app/profile-image"
        /// The path of the employee's signature. POST is assumed.
        public var signaturePath = "/api/app/signature"
        /// The paths of the calls that depend on the role.
        public var rolePaths = RolePaths()
        /// The name of the part that contains the signature.
        public var signaturePartName = "signature"
        /// The file name of the signature.
        public var signatureFilename = "signature.jpg"
        /// The keys of the server's JSON by the assumed keys, which are the keys of this dictionary.
        public var fieldNames = [String: String].unchanged(
            "email", "password", "token", "employee", "employee_id", "name", "role", "created_at", "image_url",
            "signature_url", "signed_at")

        /// Creates the assumptions that `dev-backend` shares.
        public init() {}

        package func uploadPath(for kind: ImageKind) -> String {
            kind == .profileImage ? profileImagePath : signaturePath
        }

        /// The name of the part that contains the file.
        package func partName(for kind: ImageKind) -> String {
            kind == .profileImage ? "profile_image" : signaturePartName
        }

        package func makeMultipartBody(
            for file: MediaFile, kind: ImageKind, fields: [FormField]
        ) throws(CallError) -> RequestBody {
            // The file names that the server expects end in `.jpg`.
            try file.requireJPEG(for: "sent")
            return try file.makeMultipartBody(
                partName: partName(for: kind), fields: fields,
                filename: kind == .profileImage ? "profile.jpg" : signatureFilename)
        }
    }
}
