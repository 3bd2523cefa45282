// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of MediaPrep do not resolve these dependencies.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "media-prep") }

/// Returns the target of one measured area.
func benchmarks(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + [.product(name: "Benchmark", package: "benchmark")],
        path: "Benchmarks/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "media-prep-benchmarks",
    platforms: [.macOS("26.0")],
    dependencies: [
        .package(name: "media-prep", path: "../"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // Without traits: they add a counter of allocations, which are not measured here.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        // The least work that each task needs, in C.
        .target(name: "CFloors", linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("z")]),
        .executableTarget(name: "usage"),
        // Many requests beside curl: see the script `requests`.
        .executableTarget(name: "counting-server"),
        .executableTarget(
            name: "requests",
            dependencies: [
                product("HTTPCalls"), product("Uploading"), .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
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
        .target(
            name: "Measuring", dependencies: ["CFloors", "Jobs", .product(name: "Benchmark", package: "benchmark")],
            swiftSettings: settings),
        .executableTarget(
            name: "floors", dependencies: ["CFloors", "Inputs", "Jobs", product("Imaging")], swiftSettings: settings),

        // Our side of the comparison with peers: see Peers/run.
        .executableTarget(
            name: "contestant",
            dependencies: [
                "CFloors", product("MediaPrep"), product("ImageCodecs"), product("AudioProbe"), product("Imaging"),
            ],
            swiftSettings: settings),

        benchmarks("Decode", "Jobs", "Measuring"),
        benchmarks("Resize", "Jobs", "Measuring"),
        benchmarks("Encode", "Jobs", "Measuring"),
        benchmarks("PrepareImage", "Jobs", "Measuring"),
        benchmarks("ProbeAudio", "Jobs", "Measuring"),
        benchmarks("Multipart", "Jobs", "Measuring"),
        benchmarks("Pipeline", "Inputs", product("MediaPrep")),
        benchmarks("StartUp", "Inputs", "usage", product("Imaging")),
    ],
    swiftLanguageModes: [.v6]
)
