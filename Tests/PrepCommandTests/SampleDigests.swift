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
        bytes: 169035, sha256: "5af051baeaac79f3aeb442662186eb1cc698a3c6793fce2003d756ad44188056"),
    SampleDigest(
        input: "ear-gray.jpg", output: "ear-gray.jpg", verdict: "passthrough", width: 1600, height: 1200,
        bytes: 367418, sha256: "436aae382eebf64a1351e94c158baec3c12bb610993d9e2ae411509e46b45c09"),
    SampleDigest(
        input: "ear-mirrored.jpg", output: "ear-mirrored.jpg", verdict: "converted", width: 1203, height: 901,
        bytes: 143598, sha256: "c82c34d2903e1aefc7c61794ae483dfb5c8ffefdc19c89976b61c389a0b090b4"),
    SampleDigest(
        input: "ear-passthrough.jpg", output: "ear-passthrough.jpg", verdict: "passthrough", width: 1200, height: 900,
        bytes: 119695, sha256: "dc56c9610a640681206f619fb957412dc47f61f8937d55592befd4f00864a59a"),
    SampleDigest(
        input: "ear-turned-left.jpg", output: "ear-turned-left.jpg", verdict: "converted", width: 1067, height: 1600,
        bytes: 134950, sha256: "ba6c9b5e9a9802cda2b5eb14b234cf2b3bef1b250e7f3632da1392609ce1d112"),
    SampleDigest(
        input: "ear-upright.jpg", output: "ear-upright.jpg", verdict: "converted", width: 1600, height: 1200,
        bytes: 118560, sha256: "08806b7a0c4f7cf19c5677ff0de8f4da5d209023067081500cd15936a5a416b5"),
    SampleDigest(
        input: "throat-12mp.jpg", output: "throat-12mp.jpg", verdict: "converted", width: 1200, height: 1600,
        bytes: 123562, sha256: "385bdd528c33fd36d6412db3d65aab4588ca348f6ff4bfa8726264926ee7384b"),
    SampleDigest(
        input: "throat-16bit-alpha.png", output: "throat-16bit-alpha.png.jpg", verdict: "converted", width: 800,
        height: 600,
        bytes: 28768, sha256: "902cc0634970f8e46aacd6e1c4572859dbecb575a1e8c0d01c7fa992e3788aeb"),
    SampleDigest(
        input: "throat-display-p3.jpg", output: "throat-display-p3.jpg", verdict: "converted", width: 1600,
        height: 1200,
        bytes: 201439, sha256: "aeece4da8950a17c40148c04c756fc1d27a1b24dcd2c4617fae37473f48f8e82"),
    SampleDigest(
        input: "throat-progressive.jpg", output: "throat-progressive.jpg", verdict: "converted", width: 1600,
        height: 1200,
        bytes: 164905, sha256: "9bc50bcc40f9ef2237adeefae955baf2fb5e2cbc0941730a7873300fcbfa28b1"),
    SampleDigest(
        input: "throat-turned-180.jpg", output: "throat-turned-180.jpg", verdict: "converted", width: 1600,
        height: 1066,
        bytes: 157722, sha256: "2225fae42705057d2def84cbcfe2c8ca95b7b87e487b2a272db50cac97eb3ac4"),
    SampleDigest(
        input: "throat.webp", output: "throat.webp.jpg", verdict: "converted", width: 480, height: 640,
        bytes: 41388, sha256: "cce49cf30de9277cbf632e9056f4f13170a83a966216fadb1e28bafd5db3c480"),
]
