// swift-tools-version: 6.3
import PackageDescription

/// What every target of ours is held to.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]

/// These targets also mark each unsafe step. The kernel tiers do not, because they are pointer arithmetic throughout.
let safe = strict + [.strictMemorySafety()]

/// Debug builds compile whole modules, as release builds do, because a file inlines code of other files. With a number of threads
/// the compiler writes an object for each file, which the package manager's index of sources needs. Batches would split the module.
let wholeModule: [SwiftSetting] = [
    .unsafeFlags(
        ["-whole-module-optimization", "-num-threads", "1", "-disable-batch-mode"], .when(configuration: .debug))
]

/// What runs for every frame is optimised in debug builds, too.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))] + wholeModule

/// A kernel tier: intrinsics for CPUs with these features, chosen at run time. A manifest cannot ask for the architecture, so
/// each flag names the architecture that it is for. Checks are off: callers prove the arguments, and tests use guard bytes.
func tier(x86 features: [String]) -> [SwiftSetting] {
    tier(features.flatMap { ["-Xcc", "-Xarch_x86_64", "-Xcc", "-m" + $0] })
}

/// The same for arm64, which Linux calls aarch64. The whole set of features is one flag there.
func tier(arm architecture: String) -> [SwiftSetting] {
    tier(["arm64", "aarch64"].flatMap { ["-Xcc", "-Xarch_" + $0, "-Xcc", "-march=" + architecture] })
}

/// The same for WebAssembly. Every other target of a program needs these features, too: they change how vectors are passed.
func tier(wasm features: [String]) -> [SwiftSetting] {
    tier(features.flatMap { ["-Xcc", "-Xarch_wasm32", "-Xcc", "-m" + $0] })
}

func tier(_ flags: [String]) -> [SwiftSetting] {
    strict + [.unsafeFlags(["-Ounchecked", "-Xcc", "-Qunused-arguments"] + flags)] + wholeModule
}

/// A target of resources alone. Its accessor, which no code calls, is optimised away, and then nothing of Foundation is linked
/// for it. Debug builds keep the accessor.
let resourcesAlone =
    safe + [
        .unsafeFlags(["-Xfrontend", "-disable-all-autolinking"], .when(platforms: [.linux], configuration: .release))
    ]

/// Float products of OpenBLAS, on Linux. Apple platforms use Accelerate, which needs no target. Other systems use plain Swift.
let blas = Target.Dependency.target(name: "CBLAS", condition: .when(platforms: [.linux], traits: ["BLAS"]))

/// The headers of Accelerate that are not deprecated: a program asks for them by this definition.
let accelerate: [SwiftSetting] = [
    .unsafeFlags(["-Xcc", "-DACCELERATE_NEW_LAPACK"], .when(platforms: [.macOS, .iOS, .tvOS, .visionOS]))
]

// SwiftPM fetches these packages only for a trait that is enabled (D10).
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Commands"]))
let subprocess = Target.Dependency.product(
    name: "Subprocess", package: "swift-subprocess", condition: .when(traits: ["Commands"]))
let sockets = Target.Dependency.product(
    name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Commands"]))
func log(_ name: String) -> Target.Dependency {
    .product(name: name, package: "swift-log", condition: .when(traits: ["Telemetry"]))
}
func metrics(_ name: String) -> Target.Dependency {
    .product(name: name, package: "swift-metrics", condition: .when(traits: ["Telemetry"]))
}

// These tests have no long loops. Optimised, they take twice as long to compile and as long to run.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
    name: "swift-gesture",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "GestureEngine", targets: ["GestureEngine"]),
        .library(name: "GestureHands", targets: ["GestureHands"]),
        .library(name: "GestureHandsEmbedded", targets: ["GestureHandsEmbedded"]),
        .library(name: "GesturePixels", targets: ["GesturePixels"]),
        .library(name: "BodyPose", targets: ["BodyPose"]),
        .library(name: "GestureTelemetry", targets: ["GestureTelemetry"]),
        .executable(name: "gesture-bench", targets: ["gesture-bench"]),
        .executable(name: "gesture-import", targets: ["gesture-import"]),
    ],
    traits: [
        // None is enabled by default, so that an app fetches and links nothing that it has not asked for. Tools/build enables all.
        .trait(name: "BLAS", description: "Float products of OpenBLAS on Linux; without it they are plain Swift."),
        .trait(name: "Telemetry", description: "GestureTelemetry: swift-log and swift-metrics."),
        .trait(name: "Commands", description: "gesture-bench, gesture-import and their tests; no app needs them."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // All that differs between operating systems.
        .target(name: "Platform", swiftSettings: safe + optimised),

        // Kernels, lowest first.
        .target(name: "KernelInterface", path: "Sources/Kernels/KernelInterface", swiftSettings: strict + optimised),
        // What the three tiers of x86-64 share: inlined into each, and compiled for its CPUs there (D11).
        .target(
            name: "KernelsX86", dependencies: ["KernelInterface"], path: "Sources/Kernels/KernelsX86",
            swiftSettings: strict + optimised),
        .target(
            name: "KernelsAVX2", dependencies: ["KernelInterface", "KernelsX86"],
            path: "Sources/Kernels/KernelsAVX2", swiftSettings: tier(x86: ["avx2", "fma", "f16c", "bmi2"])),
        .target(
            name: "KernelsAVXVNNI", dependencies: ["KernelInterface", "KernelsX86"],
            path: "Sources/Kernels/KernelsAVXVNNI",
            swiftSettings: tier(x86: ["avx2", "fma", "f16c", "bmi2", "avxvnni"])),
        .target(
            name: "KernelsAVX512VNNI", dependencies: ["KernelInterface", "KernelsX86"],
            path: "Sources/Kernels/KernelsAVX512VNNI",
            swiftSettings: tier(x86: ["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vnni"])),
        .target(
            name: "KernelsNEON", dependencies: ["KernelInterface"],
            path: "Sources/Kernels/KernelsNEON", swiftSettings: tier(arm: "armv8.2-a+dotprod+i8mm")),
        .target(
            name: "KernelsWASM",
            dependencies: ["KernelInterface", .target(name: "CWasmSIMD", condition: .when(platforms: [.wasi]))],
            path: "Sources/Kernels/KernelsWASM", swiftSettings: tier(wasm: ["simd128"])),
        .systemLibrary(name: "CWasmSIMD", path: "Sources/CModules/CWasmSIMD"),
        .target(
            name: "Kernels",
            dependencies: [
                "KernelInterface", "KernelsAVX2", "KernelsAVX512VNNI", "KernelsAVXVNNI", "KernelsNEON",
                "KernelsWASM", "Platform",
            ],
            path: "Sources/Kernels/Kernels", swiftSettings: safe),
        .systemLibrary(
            name: "CBLAS", path: "Sources/CModules/CBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]
        ),

        // The stages, and who may import whom: D1.
        .target(name: "Vocabulary", swiftSettings: safe),
        .target(name: "ModelFile", dependencies: ["Platform"], swiftSettings: safe),
        .target(
            name: "Frames", dependencies: ["Platform", "Vocabulary"], swiftSettings: safe + optimised),
        .target(
            name: "Network",
            dependencies: [
                "KernelInterface", "ModelFile", "Platform", "Vocabulary", blas,
            ],
            swiftSettings: safe + optimised + accelerate),
        .target(
            name: "Enrolment",
            dependencies: [
                "ModelFile", "Platform", "Vocabulary", blas,
            ],
            swiftSettings: safe + accelerate),
        .target(name: "Recognition", dependencies: ["Vocabulary"], swiftSettings: safe + optimised),
        .target(name: "Scheduling", dependencies: ["Vocabulary"], swiftSettings: safe + optimised),
        .target(
            name: "Tracking", dependencies: ["Frames", "KernelInterface", "Platform", "Vocabulary"],
            swiftSettings: safe + optimised),
        .target(
            name: "HandTracking", dependencies: ["Frames", "KernelInterface", "Platform", "Tracking", "Vocabulary"],
            swiftSettings: safe + optimised),
        .target(
            name: "BodyTracking", dependencies: ["Frames", "KernelInterface", "Platform", "Tracking", "Vocabulary"],
            swiftSettings: safe + optimised),

        .target(
            name: "HandPointer", dependencies: ["HandTracking", "Platform", "Tracking", "Vocabulary"],
            swiftSettings: safe + optimised),

        // What streams of hands and of bodies have in common.
        .target(
            name: "Streams",
            dependencies: [
                "Frames", "Platform", "Scheduling", "Vocabulary",
            ],
            swiftSettings: safe + optimised),

        // The networks of the trackers of hands and bodies, and the public error.
        .target(
            name: "TrackerInference",
            dependencies: [
                "BodyTracking", "Enrolment", "HandTracking", "KernelInterface", "ModelFile", "Network", "Streams",
                "Tracking", "Vocabulary", "Platform",
            ],
            swiftSettings: safe + optimised),

        // The product.
        .target(
            name: "GestureEngine",
            dependencies: [
                "TrackerInference", "BodyTracking", "Enrolment", "Frames", "HandPointer", "HandTracking",
                "KernelInterface", "Kernels", "ModelFile", "Network", "Platform", "Recognition", "Scheduling",
                "Streams",
                "Tracking", "Vocabulary",
            ],
            swiftSettings: safe + optimised),

        // The second front end, of whole frames. No target above it imports it.
        .target(
            name: "PixelFrontEnd",
            dependencies: [
                "Frames", "GestureEngine", "KernelInterface", "Kernels", "ModelFile", "Network", "Platform",
                "Scheduling", "Streams", "Tracking", "TrackerInference", "Vocabulary",
            ],
            swiftSettings: safe + optimised),

        // The networks of each front end, so that an app carries those that it uses.
        .target(
            name: "GesturePixels", dependencies: ["GestureEngine", "PixelFrontEnd"],
            path: "Sources/BundledNetworks/GesturePixels", swiftSettings: safe,
            plugins: ["EmbedNetworks"]),
        .target(
            name: "GestureHands", dependencies: ["GestureEngine", "HandFiles", "Platform", "TrackerInference"],
            path: "Sources/BundledNetworks/GestureHands", swiftSettings: safe),
        .target(
            name: "HandFiles", path: "Weights/hands",
            resources: [
                .copy("canned-gesture-classifier.safetensors"), .copy("gesture-embedder.safetensors"),
                .copy("hand-background.safetensors"), .copy("hand-gestures.safetensors"),
                .copy("hand-landmark-lite.safetensors"),
                .copy("palm-detection-lite.safetensors"),
            ],
            swiftSettings: resourcesAlone),

        // The same networks inside the program, for one that has no file beside it.
        .target(
            name: "GestureHandsEmbedded", dependencies: ["GestureEngine", "ModelFile", "TrackerInference"],
            path: "Sources/BundledNetworks/GestureHandsEmbedded", swiftSettings: safe,
            plugins: ["EmbedNetworks"]),
        .plugin(
            name: "EmbedNetworks", capability: .buildTool(), dependencies: ["embed-networks"],
            path: "Tools/plugins/EmbedNetworks"),
        .executableTarget(
            name: "embed-networks", dependencies: ["EmbeddedSource", "FileOutput"], path: "Tools/embed-networks",
            swiftSettings: safe),

        // For programs in other languages: the header, and its functions. Tools/bindings/build makes a library of them.
        .systemLibrary(name: "CGesture", path: "Sources/CModules/CGesture"),
        .target(
            name: "CInterface",
            dependencies: [
                "BodyPose", "CGesture", "Frames", "GestureEngine", "GesturePixels", "HandPointer", "HandTracking",
                "Platform",
                "Recognition", "Scheduling", "Vocabulary", "TrackerInference",
            ],
            swiftSettings: safe),

        // Opt-in: bodies, over the same stages.
        .target(
            name: "BodyWeights", dependencies: ["BodyFiles", "Platform"], path: "Sources/BundledNetworks/BodyWeights",
            swiftSettings: safe),
        .target(
            name: "BodyFiles", path: "Weights/body",
            resources: [.copy("pose-detection.safetensors"), .copy("pose-landmark-full.safetensors")],
            swiftSettings: resourcesAlone),
        .target(
            name: "BodyPose",
            dependencies: [
                "TrackerInference", "BodyTracking", "BodyWeights", "Frames", "KernelInterface",
                "Kernels",
                "ModelFile", "Platform", "Scheduling", "Streams", "Tracking", "Vocabulary",
            ],
            swiftSettings: safe + optimised),

        // Opt-in: what an app that logs and measures adds, so that the engine needs neither package.
        .target(
            name: "GestureTelemetry",
            dependencies: [
                "Scheduling", "Vocabulary", metrics("CoreMetrics"), log("Logging"),
            ],
            swiftSettings: safe),

        // What only tools need.
        .target(
            name: "FileOutput", dependencies: ["Platform"], path: "Tools/Libraries/FileOutput", swiftSettings: safe),
        .target(name: "NumPyFormat", path: "Tools/Libraries/NumPyFormat", swiftSettings: safe),
        .target(name: "EmbeddedSource", path: "Tools/Libraries/EmbeddedSource", swiftSettings: safe),
        .target(
            name: "Evaluation",
            dependencies: ["HandPointer", "HandTracking", "PixelFrontEnd", "Scheduling", "Vocabulary"],
            path: "Tools/Libraries/Evaluation",
            swiftSettings: safe),
        .target(
            name: "Clips",
            dependencies: ["FileOutput", "Frames", "NumPyFormat", "Platform", subprocess],
            path: "Tools/Libraries/Clips", swiftSettings: safe),
        // What one page of a browser does, at a server or in the tab. Tools/web/build compiles it for WebAssembly, with the modules
        // that it imports.
        .target(
            name: "PageSession",
            dependencies: [
                "BodyPose", "BodyTracking", "Enrolment", "Frames", "GestureEngine",
                "HandTracking", "ModelFile", "Platform", "Recognition", "Scheduling", "Streams",
                "TrackerInference", "Vocabulary",
            ],
            path: "Tools/web/PageSession", swiftSettings: safe),
        .target(
            name: "LivePage",
            dependencies: [
                "Clips", "Frames", "GestureEngine", "PageSession", "Platform", sockets, "TrackerInference",
            ],
            path: "Tools/Libraries/LivePage",
            resources: [.copy("../../web/page"), .copy("../../../Weights/demo/hands.mp4")], swiftSettings: safe),
        .target(
            name: "WeightImport",
            dependencies: ["Kernels", "ModelFile", "Network", "NumPyFormat", "Vocabulary", "PixelFrontEnd"],
            path: "Tools/Libraries/WeightImport", swiftSettings: safe),
        .target(
            name: "ToolSupport",
            dependencies: [
                "Clips", "Evaluation", "FileOutput", "GestureEngine", "ModelFile", "NumPyFormat", "Platform",
                argumentParser, "TrackerInference",
            ],
            path: "Tools/support", swiftSettings: safe),
        .executableTarget(
            name: "gesture-import",
            dependencies: [
                "Clips", "EmbeddedSource", "FileOutput", "Frames", "KernelInterface", "Kernels", "ModelFile",
                "Network", "Platform", "ToolSupport", "Tracking", "WeightImport", argumentParser, "PixelFrontEnd",
            ],
            path: "Tools/gesture-import", swiftSettings: safe),
        .executableTarget(
            name: "gesture-bench",
            dependencies: [
                "BodyPose", "Clips", "Evaluation", "FileOutput", "Frames", "GestureEngine", "GestureHands",
                "GesturePixels", "KernelInterface", "Kernels", "LivePage", "ModelFile", "Network", "PageSession",
                "Platform", "Recognition", "Scheduling", "Streams", "ToolSupport", "Vocabulary",
                argumentParser, "PixelFrontEnd", "TrackerInference",
            ],
            path: "Tools/gesture-bench", swiftSettings: safe,
            linkerSettings: [
                // Lets the tool count its own heap allocations (AllocationCounter.swift).
                .unsafeFlags(
                    ["-Xlinker", "--defsym=malloc=gesture_bench_malloc"], .when(platforms: [.linux]))
            ]),

        // Examples, as apps would write them: Tools/examples/README.md.
        .executableTarget(
            name: "terminal-app", dependencies: ["BodyPose", "GestureEngine", "GestureHands"],
            path: "Tools/examples/TerminalApp", swiftSettings: safe),
        .executableTarget(
            name: "linux-camera-app", dependencies: ["BodyPose", "GestureEngine", "GestureHands", "Video4Linux"],
            path: "Tools/examples/LinuxCameraApp", swiftSettings: safe),
        .target(
            name: "Video4Linux", dependencies: ["GestureEngine", "MotionJPEG"], path: "Tools/examples/Video4Linux",
            swiftSettings: safe),
        .target(
            name: "MotionJPEG", dependencies: ["GestureEngine"], path: "Tools/examples/MotionJPEG",
            swiftSettings: safe),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: [
                "Frames", "HandTracking", "ModelFile", "Network", "Tracking", "Vocabulary", "PixelFrontEnd",
            ],
            path: "Tests/TestSupport",
            swiftSettings: safe),
        // The places where bytes come in, for tests and for Tools/gates/fuzz. Calls the C interface with pointers: unchecked.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CGesture", "CInterface", "Clips", "Enrolment", "Evaluation", "Frames", "HandPointer", "HandTracking",
                "KernelInterface", "Kernels", "LivePage", "ModelFile", "Network", "PageSession", "TestSupport",
                "Tracking", "Vocabulary", "WeightImport",
            ],
            path: "Tools/gates/fuzzing/Targets", swiftSettings: strict),
        .testTarget(
            name: "FuzzTargetTests", dependencies: ["FuzzTargets", "Vocabulary"], swiftSettings: safe + unoptimised),
        .testTarget(name: "VocabularyTests", dependencies: ["Vocabulary"], swiftSettings: safe + unoptimised),
        .testTarget(name: "PlatformTests", dependencies: ["Platform"], swiftSettings: safe + unoptimised),
        .testTarget(
            name: "KernelTests", dependencies: ["KernelInterface", "Kernels", "TestSupport", "Vocabulary"],
            swiftSettings: safe),
        .testTarget(
            name: "ModelFileTests", dependencies: ["ModelFile", "TestSupport", "Vocabulary"], swiftSettings: safe),
        .testTarget(
            name: "FramesTests",
            dependencies: [
                "Frames", "KernelInterface", "ModelFile", "TestSupport", "Vocabulary", "PixelFrontEnd",
            ],
            swiftSettings: safe),
        .testTarget(
            name: "PixelFrontEndTests",
            dependencies: [
                "Frames", "KernelInterface", "Platform", "TestSupport",
                "Vocabulary", "PixelFrontEnd", "GestureEngine",
            ],
            swiftSettings: safe),
        .testTarget(
            name: "NetworkTests",
            dependencies: [
                "KernelInterface", "Kernels", "ModelFile", "Network", "Platform", "TestSupport", "Vocabulary",
                "WeightImport", blas, "PixelFrontEnd",
            ],
            swiftSettings: safe),
        .testTarget(
            name: "EnrolmentTests", dependencies: ["Enrolment", "ModelFile", "Vocabulary"],
            swiftSettings: safe + unoptimised),
        .testTarget(
            name: "RecognitionTests", dependencies: ["Recognition", "Vocabulary"], swiftSettings: safe),
        .testTarget(
            name: "SchedulingTests", dependencies: ["PixelFrontEnd", "Scheduling", "Vocabulary"],
            swiftSettings: safe + unoptimised),
        // State machines of several modules, over random sequences: Tools/gates/properties runs millions of them.
        .testTarget(
            name: "StateMachineTests",
            dependencies: [
                "BodyPose", "BodyTracking", "Recognition", "Scheduling", "TestSupport", "Tracking", "Vocabulary",
            ],
            swiftSettings: safe),
        .testTarget(
            name: "StreamsTests", dependencies: ["Frames", "Platform", "Scheduling", "Streams"],
            swiftSettings: safe + unoptimised
        ),
        .testTarget(
            name: "TrackingTests",
            dependencies: ["Frames", "KernelInterface", "Platform", "TestSupport", "Tracking", "Vocabulary"],
            swiftSettings: safe),
        .testTarget(
            name: "HandPointerTests",
            dependencies: ["HandPointer", "HandTracking", "TestSupport", "Tracking", "Vocabulary"],
            swiftSettings: safe + unoptimised),
        .testTarget(
            name: "HandTrackingTests",
            dependencies: [
                "Frames", "HandTracking", "KernelInterface", "ModelFile", "Platform", "TestSupport",
                "Tracking", "Vocabulary",
            ],
            swiftSettings: safe),
        .testTarget(
            name: "BodyTrackingTests",
            dependencies: [
                "BodyTracking", "Frames", "KernelInterface", "Platform", "TestSupport", "Tracking", "Vocabulary",
            ],
            swiftSettings: safe),
        .testTarget(
            name: "BodyPoseTests",
            dependencies: [
                "BodyPose", "BodyWeights", "KernelInterface", "Kernels", "ModelFile", "Platform", "Streams",
                "TestSupport", "TrackerInference",
            ],
            swiftSettings: safe + unoptimised),
        .testTarget(
            name: "BodyActivityTests",
            dependencies: [
                "BodyPose", "BodyTracking", "Frames", "Scheduling", "Tracking", "Vocabulary",
            ],
            swiftSettings: safe),
        .testTarget(
            name: "GestureTelemetryTests",
            dependencies: [
                "GestureTelemetry", "Scheduling", "Vocabulary", log("InMemoryLogging"), log("Logging"),
                metrics("CoreMetrics"), metrics("MetricsTestKit"), "PixelFrontEnd",
            ],
            swiftSettings: safe + unoptimised),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "GestureEngine", "MotionJPEG", "TestSupport", "Video4Linux", "Vocabulary", subprocess,
            ],
            swiftSettings: safe + unoptimised),
        .testTarget(
            name: "EvaluationTests",
            dependencies: [
                "Evaluation", "HandTracking", "PixelFrontEnd", "Scheduling", "Tracking", "Vocabulary",
            ],
            swiftSettings: safe + unoptimised),
        .testTarget(
            name: "LivePageTests",
            dependencies: [
                "BodyPose", "Clips", "GestureEngine", "GestureHands", "GesturePixels", "LivePage", "PageSession",
                "TestSupport", "Vocabulary", sockets, "PixelFrontEnd", "TrackerInference",
            ],
            swiftSettings: safe + unoptimised),
        .testTarget(
            name: "PageSessionTests",
            dependencies: ["Frames", "PageSession", "TestSupport", "Vocabulary"], swiftSettings: safe + unoptimised),
        .testTarget(name: "FileOutputTests", dependencies: ["FileOutput"], swiftSettings: safe + unoptimised),
        // Some of these run the commands as processes. They do not depend on them, which would link them into the tests;
        // building all tests builds them, too.
        .testTarget(
            name: "ClipsTests",
            dependencies: ["Clips", "FileOutput", "Frames", "NumPyFormat", "TestSupport", "ToolSupport", "Vocabulary"],
            swiftSettings: safe + unoptimised),
        .testTarget(
            name: "WeightImportTests",
            dependencies: [
                "BodyPose", "Kernels", "ModelFile", "Network", "NumPyFormat", "TestSupport", "Vocabulary",
                "WeightImport", "PixelFrontEnd",
            ],
            swiftSettings: safe),
        .testTarget(
            name: "ParityTests",
            dependencies: [
                "Clips", "KernelInterface", "Kernels", "ModelFile", "Network", "TestSupport", "WeightImport",
                "PixelFrontEnd",
            ],
            swiftSettings: safe),
        // Runs the commands as processes. It does not depend on them, which would link them into the tests; building all
        // tests builds them, too.
        .testTarget(
            name: "CommandTests",
            dependencies: ["ModelFile", "TestSupport", "ToolSupport", subprocess],
            swiftSettings: safe + unoptimised),
        // Calls with pointers, as a C program makes them, from end to end: unchecked.
        .testTarget(
            name: "CInterfaceTests",
            dependencies: [
                "BodyTracking", "CGesture", "CInterface", "Frames", "GestureEngine", "HandTracking", "TestSupport",
            ],
            swiftSettings: strict + unoptimised),
        .testTarget(
            name: "GestureEngineTests",
            dependencies: [
                "BodyPose", "Clips", "Frames", "GestureEngine", "GestureHands",
                "GestureHandsEmbedded",
                "GesturePixels", "HandTracking", "KernelInterface", "Kernels", "ModelFile", "Network", "Platform",
                "Recognition", "Scheduling", "Streams", "TestSupport", "Vocabulary", "PixelFrontEnd",
                "TrackerInference",
            ],
            swiftSettings: safe + unoptimised),
    ]
)

// The program of Tools/gates/fuzz, which links libFuzzer. Nothing else builds it. After each input libFuzzer looks at the counters of all
// branches, so only the modules behind the targets have them: those of the files, or those of the live streams and their pages.
if let targets = Context.environment["GESTURE_FUZZ"] {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tools/gates/fuzzing/Driver",
            swiftSettings: strict + [.enableExperimentalFeature("Extern")]))
    let modules: Set<String> =
        targets == "files"
        ? ["Clips", "Enrolment", "ModelFile", "Network", "NumPyFormat", "WeightImport"]
        : [
            "CInterface", "Evaluation", "Frames", "GestureEngine", "HandPointer", "HandTracking", "LivePage",
            "Recognition", "Scheduling", "Streams", "Tracking",
        ]
    for target in package.targets where modules.union(["FuzzTargets", "Platform", "Vocabulary"]).contains(target.name) {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [
                .unsafeFlags(["-sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table"])
            ]
    }
}
