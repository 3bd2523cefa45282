// swift-tools-version: 6.2
import PackageDescription

// Apart from the package itself: its programs have libFuzzer's `main`, so they only link under `run`.
let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "media-prep", path: "../..")],
    targets: [
        .executableTarget(
            name: "ImageFuzz",
            dependencies: [
                .product(name: "MediaPrep", package: "media-prep"),
                .product(name: "ImageCodecs", package: "media-prep"),
                .product(name: "Imaging", package: "media-prep"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "AudioFuzz",
            dependencies: [
                .product(name: "MediaPrep", package: "media-prep"), .product(name: "AudioProbe", package: "media-prep"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
