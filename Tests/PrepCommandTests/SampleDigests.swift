/// The expected output of a sample with the default options.
struct SampleDigest: Sendable {
    var input: String
    var output: String
    var verdict: String
    var width: Int
    var height: Int
    var bytes: Int
    var sha256: String
}

/// The expected outputs of all samples, from the manifest of `prep Samples/photos --output ready`. They change only if
/// the preparation of images is changed on purpose. Then each line is taken from a new manifest.
let sampleDigests: [SampleDigest] = [
    SampleDigest(
        input: "ear-444.jpg", output: "ear-444.jpg", verdict: "converted", width: 1600, height: 1224,
        bytes: 294155, sha256: "68dcfb23f4bf0b216e0d0c44d9341335a2aeae62b3a38a0aff93f94482b86d26"),
    SampleDigest(
        input: "ear-gray.jpg", output: "ear-gray.jpg", verdict: "passthrough", width: 1600, height: 1200,
        bytes: 367418, sha256: "436aae382eebf64a1351e94c158baec3c12bb610993d9e2ae411509e46b45c09"),
    SampleDigest(
        input: "ear-mirrored.jpg", output: "ear-mirrored.jpg", verdict: "converted", width: 1203, height: 901,
        bytes: 233486, sha256: "f91a40d2b99403ef1119c6c171f1c2cc40199a9fd40f46fd59b61af53fcd3609"),
    SampleDigest(
        input: "ear-passthrough.jpg", output: "ear-passthrough.jpg", verdict: "passthrough", width: 1200, height: 900,
        bytes: 119695, sha256: "dc56c9610a640681206f619fb957412dc47f61f8937d55592befd4f00864a59a"),
    SampleDigest(
        input: "ear-turned-left.jpg", output: "ear-turned-left.jpg", verdict: "converted", width: 1067, height: 1600,
        bytes: 238701, sha256: "e3f1394e2ebc52d0249ca633a281425affda8b01c183e14725e320a4f3c959b4"),
    SampleDigest(
        input: "ear-upright.jpg", output: "ear-upright.jpg", verdict: "converted", width: 1600, height: 1200,
        bytes: 225870, sha256: "f882830500b921a3b2fdbd7810ab35253efcf79e29a9d4ec7a0608bc3fd663b1"),
    SampleDigest(
        input: "throat-12mp.jpg", output: "throat-12mp.jpg", verdict: "converted", width: 1200, height: 1600,
        bytes: 206896, sha256: "af563f72b862c19a373ac9a1b524ed0851fa1a2b26e3d2642b0e730fafdbef4d"),
    SampleDigest(
        input: "throat-16bit-alpha.png", output: "throat-16bit-alpha.png.jpg", verdict: "converted", width: 800,
        height: 600,
        bytes: 37712, sha256: "4b4653e14761fa067840f0e92cd163ed5b490e5cf4c136e43bb88f97f48f2933"),
    SampleDigest(
        input: "throat-display-p3.jpg", output: "throat-display-p3.jpg", verdict: "converted", width: 1600,
        height: 1200,
        bytes: 286878, sha256: "07bcf84565e1c631bc8539c29ab7d7205812402e8b061390a68aa5376860a31a"),
    SampleDigest(
        input: "throat-progressive.jpg", output: "throat-progressive.jpg", verdict: "converted", width: 1600,
        height: 1200,
        bytes: 280119, sha256: "a97d382e2e0ca3ffe5421bebdafa285df49bb21601d59c1e50996b6552ac5571"),
    SampleDigest(
        input: "throat-turned-180.jpg", output: "throat-turned-180.jpg", verdict: "converted", width: 1600,
        height: 1066,
        bytes: 263462, sha256: "1498f418fdc43a73b85e4a90e4ee19cfa997fb1a78f53452e5da70551e99c4a5"),
]
