// swift-tools-version: 6.2
import PackageDescription

// Apart from the package itself, so that its users resolve none of this.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "media-prep") }

let package = Package(
    name: "media-prep-benchmarks",
    platforms: [.macOS("26.0")],
    dependencies: [.package(name: "media-prep", path: "../")],
    targets: [
        // The parts of the work that nothing can do without.
        .target(name: "CFloors", linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("z")]),
        .target(
            name: "Inputs", dependencies: ["CFloors", product("ImageCodecs"), product("Imaging")],
            swiftSettings: settings),
        .target(
            name: "Jobs",
            dependencies: [
                "CFloors", "Inputs", product("AudioProbe"), product("ImageCodecs"), product("Imaging"),
                product("MediaPrep"), product("MultipartBody"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "floors", dependencies: ["CFloors", "Inputs", "Jobs", product("Imaging")], swiftSettings: settings),

        // Our side of the comparison with peers: see Peers/run.
        .executableTarget(
            name: "contestant",
            dependencies: ["CFloors", product("MediaPrep"), product("AudioProbe"), product("Imaging")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
