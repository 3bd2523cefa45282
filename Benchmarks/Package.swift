// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "media-prep-benchmarks",
    platforms: [.macOS("26.0")],
    dependencies: [.package(name: "media-prep", path: "../")],
    targets: [
        // The parts of the work that nothing can do without.
        .target(name: "CFloors", linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("z")]),
        // Our side of the comparison with peers: see Peers/run.
        .executableTarget(
            name: "contestant",
            dependencies: [
                "CFloors", .product(name: "MediaPrep", package: "media-prep"),
                .product(name: "AudioProbe", package: "media-prep"), .product(name: "Imaging", package: "media-prep"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
