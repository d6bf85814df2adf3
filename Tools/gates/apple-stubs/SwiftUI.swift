// Apple's SwiftUI: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import Foundation
@_exported import Observation
@_exported import UIKit

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}
extension App {
    @MainActor @preconcurrency public static func main()
}
@MainActor @preconcurrency public protocol Scene {}
@resultBuilder public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content
}
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content)
}

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View {
    public var body: Never { get }
}
@resultBuilder public struct ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content
    public static func buildBlock<each Content>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> where repeat each Content: View
}
public struct TupleView<T>: View {
    public typealias Body = Never
    public var body: Never { get }
}
public struct EmptyView: View {
    public typealias Body = Never
    public var body: Never { get }
}
@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value)
    public var wrappedValue: Value { get nonmutating set }
}

public struct Alignment: Equatable, Sendable {
    public static let bottom: Alignment
    public static let center: Alignment
}
public struct ZStack<Content: View>: View {
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content)
    public typealias Body = Never
    public var body: Never { get }
}
public struct Text: View {
    public init<S: StringProtocol>(_ content: S)
    public func font(_ font: Font?) -> Text
    public typealias Body = Never
    public var body: Never { get }
}
public struct Font: Hashable, Sendable {
    public static let title: Font
}
public struct Edge: Sendable {
    public struct Set: OptionSet, Sendable {
        public init(rawValue: Int8)
        public let rawValue: Int8
        public static let all: Set
    }
}
public struct SafeAreaRegions: OptionSet, Sendable {
    public init(rawValue: UInt)
    public let rawValue: UInt
    public static let all: SafeAreaRegions
}

public protocol ShapeStyle: Sendable {}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
    public static var thinMaterial: Material { get }
}
public struct Color: ShapeStyle, View {
    public static let green: Color
    public typealias Body = Never
    public var body: Never { get }
}
public protocol Shape: Sendable, View {}
public struct Capsule: Shape {
    public typealias Body = Never
    public var body: Never { get }
}
extension Shape where Self == Capsule {
    public static var capsule: Capsule { get }
}
public struct FillStyle: Sendable {
    public init()
}

public struct ModifiedView: View {
    public typealias Body = Never
    public var body: Never { get }
}
extension View {
    nonisolated public func background<S: ShapeStyle, T: Shape>(
        _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
    ) -> ModifiedView
    nonisolated public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> ModifiedView
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> ModifiedView
    nonisolated public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> ModifiedView
}

public struct Path: Sendable {
    public init()
    public mutating func move(to end: CGPoint)
    public mutating func addLine(to end: CGPoint)
}
public enum ColorRenderingMode: Sendable { case nonLinear, linear, extendedLinear }
public struct GraphicsContext {
    public struct Shading: Sendable {
        public static func color(_ color: Color) -> Shading
    }
    public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1)
}
public struct Canvas<Symbols: View>: View {
    public typealias Body = Never
    public var body: Never { get }
}
extension Canvas where Symbols == EmptyView {
    public init(
        opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void
    )
}

@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    associatedtype Coordinator = Void
    @MainActor @preconcurrency func makeUIView(context: Context) -> UIViewType
    @MainActor @preconcurrency func updateUIView(_ uiView: UIViewType, context: Context)
    typealias Context = UIViewRepresentableContext<Self>
}
extension UIViewRepresentable {
    public var body: Never { get }
}
@MainActor @preconcurrency public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}
