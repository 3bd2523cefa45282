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
        bytes: 182507, sha256: "08356eb6a8c8f753fe0e4b3b08ea573be80f9baa33d99e04bd6a8e6602be4c3b"),
    SampleDigest(
        input: "ear-gray.jpg", output: "ear-gray.jpg", verdict: "passthrough", width: 1600, height: 1200,
        bytes: 367418, sha256: "436aae382eebf64a1351e94c158baec3c12bb610993d9e2ae411509e46b45c09"),
    SampleDigest(
        input: "ear-mirrored.jpg", output: "ear-mirrored.jpg", verdict: "converted", width: 1203, height: 901,
        bytes: 155589, sha256: "e31621b1993aa3185818adb85d69f44b9ab40818a8166d812ef9fee6d1d37316"),
    SampleDigest(
        input: "ear-passthrough.jpg", output: "ear-passthrough.jpg", verdict: "passthrough", width: 1200, height: 900,
        bytes: 119695, sha256: "dc56c9610a640681206f619fb957412dc47f61f8937d55592befd4f00864a59a"),
    SampleDigest(
        input: "ear-turned-left.jpg", output: "ear-turned-left.jpg", verdict: "converted", width: 1067, height: 1600,
        bytes: 144032, sha256: "5eabb5ae5d702963a510b3f46b46d98353226c04efbc93760f7a791490ba500c"),
    SampleDigest(
        input: "ear-upright.jpg", output: "ear-upright.jpg", verdict: "converted", width: 1600, height: 1200,
        bytes: 125025, sha256: "4c37796f998c7ed4548d3b815b92027bcc2e0763d3bb7002d04c6744606d3f7b"),
    SampleDigest(
        input: "throat-12mp.jpg", output: "throat-12mp.jpg", verdict: "converted", width: 1200, height: 1600,
        bytes: 127122, sha256: "decf50023a4717ea5b07503c9183d3ecd0cfd3fded4126d88f60810b5eb2f7a5"),
    SampleDigest(
        input: "throat-16bit-alpha.png", output: "throat-16bit-alpha.png.jpg", verdict: "converted", width: 800,
        height: 600,
        bytes: 29433, sha256: "6139b6418717236895d69e4ad6de52b23ed7cb20b339959bbe7f96bdd28ebe15"),
    SampleDigest(
        input: "throat-display-p3.jpg", output: "throat-display-p3.jpg", verdict: "converted", width: 1600,
        height: 1200,
        bytes: 215274, sha256: "5db3ec5183446734d8ab135bdac4b2f8c00a4267e703a15382769c1552152b50"),
    SampleDigest(
        input: "throat-progressive.jpg", output: "throat-progressive.jpg", verdict: "converted", width: 1600,
        height: 1200,
        bytes: 175347, sha256: "4ec37f3cbb018ddb6871d3e8c37d1bc40fecc6d05039479de50c45b72b11a042"),
    SampleDigest(
        input: "throat-turned-180.jpg", output: "throat-turned-180.jpg", verdict: "converted", width: 1600,
        height: 1066,
        bytes: 168304, sha256: "765e5219827db300126460362f6a3e7363b0d6d82cef13d3837be0b8f0cf31f2"),
    SampleDigest(
        input: "throat.webp", output: "throat.webp.jpg", verdict: "converted", width: 480, height: 640,
        bytes: 44221, sha256: "76aaed482d1b7f0d100f9b24b7a7373ed24486474f55c3ec33643f3db9e5ba4f"),
]
