// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let cSettings: [CSetting] = [
    .enableWarning("all"),
    .enableWarning("extra"),
    .treatAllWarnings(as: .error),
]

/// Returns `name` on Apple platforms. On others, programs load the library when they first use it, see
/// `CDynamicLibrary`, and pkg-config would link them to it.
func pkgConfigNameOnApple(_ name: String) -> String? {
    #if canImport(Darwin)
        name
    #else
        nil
    #endif
}

func linkedOnApple(_ name: String, trait: String? = nil) -> LinkerSetting {
    .linkedLibrary(name, .when(platforms: [.macOS, .iOS], traits: trait.map { [$0] }))
}

/// Returns the target of the calls and models of a service. It stands on `HTTPCalls` alone.
func service(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(
        name: name,
        dependencies: dependencies + [
            "HTTPCalls", "JSONValues", "MultipartBody", .product(name: "HTTPTypes", package: "swift-http-types"),
        ],
        swiftSettings: settings)
}

/// Returns the target of the tests of a service.
func serviceTests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: dependencies + [
            .byName(name: name), "HTTPCalls", "JSONValues", "MultipartBody", "HTTPTestSupport",
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ],
        swiftSettings: settings)
}

let package = Package(
    name: "media-prep",
    // The lowest with Mutex, Atomic and TaskExecutor.
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "MediaPrep", targets: ["MediaPrep"]),
        .library(name: "AudioProbe", targets: ["AudioProbe"]),
        .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
        .library(name: "Imaging", targets: ["Imaging"]),
        .library(name: "MultipartBody", targets: ["MultipartBody"]),
        // Static, because `swift build --product` builds everything for a product without a type.
        .library(name: "HTTPCalls", type: .static, targets: ["HTTPCalls", "JSONValues"]),
        .library(name: "SymptomSentryAPI", type: .static, targets: ["SymptomSentryAPI"]),
        .library(name: "PetVisitsAPI", type: .static, targets: ["PetVisitsAPI"]),
        .library(name: "KSRCranesAPI", type: .static, targets: ["KSRCranesAPI"]),
        .library(name: "MessagesAPI", type: .static, targets: ["MessagesAPI"]),
        .library(name: "GameModels", type: .static, targets: ["GameModels"]),
        .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
        .library(name: "Uploading", targets: ["Uploading", "UploadRecords"]),
        .library(name: "Backends", targets: ["Backends"]),
        .library(name: "Batch", targets: ["Batch"]),
        .library(name: "Ledger", targets: ["Ledger"]),
        .executable(name: "prep", targets: ["prep"]),
        .executable(name: "dev-backend", targets: ["dev-backend"]),
    ],
    traits: [
        .trait(name: "WebP", description: "Reads WebP images with libwebp."),
        .default(enabledTraits: ["WebP", "HEIF"]),
        .trait(name: "HEIF", description: "Reads HEIC by libde265, and AVIF by dav1d."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // System libraries: a module map each, nothing else.
        .systemLibrary(
            name: "CLibJPEG", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .systemLibrary(
            name: "CLibPNG", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CLibWebP", pkgConfig: pkgConfigNameOnApple("libwebp"),
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(
            name: "CLibISAL", pkgConfig: "libisal",
            providers: [.apt(["libisal-dev"]), .brew(["isa-l"])]),
        .systemLibrary(
            name: "CLibSndfile", pkgConfig: pkgConfigNameOnApple("sndfile"),
            providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]),
        .systemLibrary(
            name: "CLibLCMS2", pkgConfig: pkgConfigNameOnApple("lcms2"),
            providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
        .systemLibrary(
            name: "CLibCurl", pkgConfig: pkgConfigNameOnApple("libcurl"),
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CLibSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CLibDe265", pkgConfig: pkgConfigNameOnApple("libde265"),
            providers: [.apt(["libde265-dev"]), .brew(["libde265"])]),
        .systemLibrary(
            name: "CLibDav1d", pkgConfig: pkgConfigNameOnApple("dav1d"),
            providers: [.apt(["libdav1d-dev"]), .brew(["dav1d"])]),
        .systemLibrary(name: "CLibC"),
        .systemLibrary(name: "CLibNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),

        // C: the only code that includes the headers of these libraries or setjmp.h, and the pixel kernels.
        .target(name: "CJPEGShim", dependencies: ["CLibJPEG"], cSettings: cSettings),
        .target(name: "CPNGShim", dependencies: ["CLibPNG"], cSettings: cSettings),
        .target(
            name: "CWebPShim",
            dependencies: [.target(name: "CLibWebP", condition: .when(traits: ["WebP"])), "CDynamicLibrary"],
            cSettings: cSettings + [.define("PREP_WEBP", .when(traits: ["WebP"]))],
            linkerSettings: [linkedOnApple("webp", trait: "WebP")]),
        .target(
            name: "CHEIFShim",
            dependencies: [
                .target(name: "CLibDe265", condition: .when(traits: ["HEIF"])),
                .target(name: "CLibDav1d", condition: .when(traits: ["HEIF"])), "CDynamicLibrary",
            ],
            cSettings: cSettings + [.define("PREP_HEIF", .when(traits: ["HEIF"]))],
            linkerSettings: [linkedOnApple("de265", trait: "HEIF"), linkedOnApple("dav1d", trait: "HEIF")]),
        .target(name: "CJPEGFastDecoder", cSettings: cSettings),
        .target(name: "CJPEGEncoder", cSettings: cSettings),
        .target(name: "CPNGFastDecoder", dependencies: ["CLibISAL"], cSettings: cSettings),
        .target(
            name: "CDynamicLibrary", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "CCurlShim", dependencies: ["CLibCurl", "CDynamicLibrary"], cSettings: cSettings,
            linkerSettings: [linkedOnApple("curl")]),
        .target(
            name: "CSndfileShim", dependencies: ["CLibSndfile", "CDynamicLibrary"], cSettings: cSettings,
            linkerSettings: [linkedOnApple("sndfile")]),
        .target(name: "CDecoderProcess", cSettings: cSettings),
        .target(
            name: "CLCMSShim", dependencies: ["CLibLCMS2", "CDynamicLibrary"], cSettings: cSettings,
            linkerSettings: [linkedOnApple("lcms2")]),
        .target(
            name: "CSHA256", dependencies: [.target(name: "CLibNettle", condition: .when(platforms: [.linux]))],
            cSettings: cSettings, linkerSettings: [.linkedLibrary("nettle", .when(platforms: [.linux]))]),
        .target(name: "CPixelKernels", cSettings: cSettings),

        // Swift. Each imports only what stands above it here.
        .target(name: "SystemSupport", swiftSettings: settings),
        .target(name: "Diagnostics", swiftSettings: settings),
        .target(name: "MediaContainers", swiftSettings: settings),
        .target(name: "JSONValues", swiftSettings: settings),
        .target(name: "UploadRecords", swiftSettings: settings),
        .target(name: "SHA256", dependencies: ["CSHA256"], swiftSettings: settings),
        .target(name: "Imaging", dependencies: ["CPixelKernels"], swiftSettings: settings),
        .target(
            name: "ImageCodecs",
            dependencies: [
                "Imaging", "Diagnostics", "MediaContainers", "SystemSupport", "CJPEGShim", "CJPEGFastDecoder",
                "CJPEGEncoder", "CPNGShim", "CPNGFastDecoder",
                .target(name: "CWebPShim", condition: .when(traits: ["WebP"])),
                .target(name: "CHEIFShim", condition: .when(traits: ["HEIF"])),
                "CLCMSShim", "CDecoderProcess",
            ],
            swiftSettings: settings),
        .target(
            name: "AudioProbe",
            dependencies: ["Diagnostics", "MediaContainers", "SystemSupport", "CSndfileShim", "CLibSndfile"],
            swiftSettings: settings),
        .target(
            name: "MediaPrep",
            dependencies: [
                "AudioProbe", "ImageCodecs", "Imaging", "Diagnostics", "SystemSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .target(
            name: "Ledger",
            dependencies: ["SystemSupport", "UploadRecords", "CLibSQLite"], swiftSettings: settings),
        .target(name: "MultipartBody", dependencies: ["SystemSupport"], swiftSettings: settings),
        .target(
            name: "HTTPCalls",
            dependencies: [
                "MultipartBody", "JSONValues", "SystemSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        service("SymptomSentryAPI"),
        service("PetVisitsAPI", .product(name: "Logging", package: "swift-log")),
        service("KSRCranesAPI"),
        service("MessagesAPI"),
        .target(name: "GameModels", swiftSettings: settings),
        // Never a dependency of `prep`: FoundationNetworking costs 20 MiB.
        .target(
            name: "URLSessionTransport",
            dependencies: [
                "HTTPCalls", "MultipartBody", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .target(
            name: "Uploading",
            dependencies: [
                "HTTPCalls", "MultipartBody", "UploadRecords", "SystemSupport", "SHA256", "CCurlShim",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .target(
            name: "Backends",
            dependencies: [
                "Uploading", "HTTPCalls", "SymptomSentryAPI", "PetVisitsAPI", "KSRCranesAPI", "MultipartBody",
                "MediaPrep", "AudioProbe",
            ],
            swiftSettings: settings),
        .target(
            name: "Batch",
            dependencies: [
                "MediaPrep", "Ledger", "AudioProbe", "ImageCodecs", "Imaging", "Diagnostics", "JSONValues", "SHA256",
                "SystemSupport", "CLibC", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "BatchUpload",
            dependencies: [
                "Batch", "Backends", "Uploading", "HTTPCalls", "MultipartBody", "MediaPrep", "Ledger", "AudioProbe",
                "JSONValues", "SHA256", "SystemSupport", .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .target(
            name: "ManifestReport",
            dependencies: [
                "Batch", "MediaPrep", "ImageCodecs", "Diagnostics", "SHA256", "SystemSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            resources: [.embedInCode("report.css"), .embedInCode("report.js")], swiftSettings: settings),
        .executableTarget(
            name: "prep",
            dependencies: [
                "Batch", "BatchUpload", "ManifestReport", "MediaPrep", "ImageCodecs", "Imaging", "Backends",
                "SymptomSentryAPI", "PetVisitsAPI", "KSRCranesAPI", "HTTPCalls", "Uploading", "Diagnostics",
                "SystemSupport", "CLibC",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "dev-backend",
            dependencies: [
                "MediaPrep", "ImageCodecs", "AudioProbe", "SHA256", "JSONValues",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),

        // Tests. CTestImages writes, with the plain C libraries, the kinds of files that the package itself never
        // makes.
        .target(
            name: "CTestImages",
            dependencies: [
                "CLibJPEG", "CLibPNG", .target(name: "CLibWebP", condition: .when(traits: ["WebP"])),
            ], path: "Tests/CTestImages",
            cSettings: cSettings + [.define("PREP_WEBP", .when(traits: ["WebP"]))],
            linkerSettings: [.linkedLibrary("webp", .when(traits: ["WebP"]))]),
        .target(
            name: "TestSupport", dependencies: ["CTestImages", "Imaging"], path: "Tests/TestSupport",
            swiftSettings: settings),
        // Transports that tests script, and requests as text.
        .target(
            name: "HTTPTestSupport",
            dependencies: ["HTTPCalls", "MultipartBody", .product(name: "HTTPTypes", package: "swift-http-types")],
            path: "Tests/HTTPTestSupport", swiftSettings: settings),
        .testTarget(
            name: "ImagingTests", dependencies: ["Imaging", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ImageCodecsTests",
            dependencies: [
                "Diagnostics", "ImageCodecs", "Imaging", "CDecoderProcess", "CJPEGFastDecoder", "CPNGFastDecoder",
                "CLCMSShim", "SystemSupport", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AudioProbeTests",
            dependencies: ["Diagnostics", "MediaContainers", "SystemSupport", "AudioProbe", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "MediaPrepTests",
            dependencies: [
                "Diagnostics", "SystemSupport", "MediaPrep", "AudioProbe", "ImageCodecs", "Imaging", "TestSupport",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LedgerTests",
            dependencies: [
                "SystemSupport", "Ledger", "CLibSQLite", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MultipartBodyTests", dependencies: ["SystemSupport", "MultipartBody", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPCallsTests",
            dependencies: [
                "HTTPCalls", "HTTPTestSupport", "TestSupport", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "UploadingTests",
            dependencies: [
                "SystemSupport", "SHA256", "Uploading", "HTTPCalls", "UploadRecords", "MultipartBody",
                "Ledger", "CDynamicLibrary", "dev-backend", "TestSupport", "HTTPTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackendsTests",
            dependencies: [
                "SystemSupport", "JSONValues", "SHA256", "Diagnostics", "Batch", "Backends", "Uploading", "HTTPCalls",
                "SymptomSentryAPI", "PetVisitsAPI", "KSRCranesAPI", "MessagesAPI", "URLSessionTransport",
                "MultipartBody", "MediaPrep", "UploadRecords", "Ledger", "AudioProbe", "ImageCodecs", "Imaging",
                "dev-backend", "TestSupport", "HTTPTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: [
                "URLSessionTransport", "HTTPCalls", "MultipartBody", "MessagesAPI", "SymptomSentryAPI", "dev-backend",
                "TestSupport", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        serviceTests("SymptomSentryAPI"),
        serviceTests(
            "PetVisitsAPI", .product(name: "InMemoryLogging", package: "swift-log"),
            .product(name: "Logging", package: "swift-log")),
        serviceTests("KSRCranesAPI"),
        serviceTests("MessagesAPI"),
        .testTarget(name: "GameModelsTests", dependencies: ["GameModels", "JSONValues"], swiftSettings: settings),
        .testTarget(
            name: "DevBackendTests",
            dependencies: [
                "SHA256", "dev-backend", "TestSupport", .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BatchTests",
            dependencies: [
                "Batch", "MediaPrep", "Diagnostics", "SystemSupport", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BatchUploadTests",
            dependencies: [
                "BatchUpload", "Batch", "Uploading", "HTTPCalls", "MultipartBody", "MediaPrep", "Diagnostics",
                "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ManifestReportTests",
            dependencies: [
                "ManifestReport", "Batch", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PrepCommandTests",
            dependencies: [
                "prep", "dev-backend", "Batch", "ManifestReport", "Ledger", "Uploading", "HTTPCalls", "MediaPrep",
                "ImageCodecs", "Imaging", "Diagnostics", "JSONValues", "SHA256", "SystemSupport", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
