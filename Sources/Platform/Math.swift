#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#endif

/// The C library's functions of floats. Their last bit depends on the library.
package enum Math {
    /// e^x.
    @inlinable package static func exponential(_ x: Double) -> Double { exp(x) }

    /// e^x.
    @inlinable package static func exponential(_ x: Float) -> Float { expf(x) }

    /// e^x - 1, exact near 0.
    @inlinable package static func expm1(_ x: Double) -> Double { libraryExpm1(x) }

    /// The natural logarithm.
    @inlinable package static func logarithm(_ x: Double) -> Double { log(x) }

    /// The natural logarithm.
    @inlinable package static func logarithm(_ x: Float) -> Float { logf(x) }

    /// The natural logarithm of 1 + x, exact near 0.
    @inlinable package static func logarithmOfOnePlus(_ x: Double) -> Double { log1p(x) }

    /// The sine of an angle in radians.
    @inlinable package static func sine(_ angle: Double) -> Double { sin(angle) }

    /// The cosine of an angle in radians.
    @inlinable package static func cosine(_ angle: Double) -> Double { cos(angle) }

    /// The angle of a direction in radians, -pi...pi, 0 along x.
    @inlinable package static func atan2(y: Double, x: Double) -> Double { libraryAtan2(y, x) }
}

// Inside `Math` these names are its own.
@usableFromInline func libraryExpm1(_ x: Double) -> Double { expm1(x) }
@usableFromInline func libraryAtan2(_ y: Double, _ x: Double) -> Double { atan2(y, x) }

#if !canImport(Darwin) && !canImport(Glibc) && !canImport(Musl) && !canImport(Android) && !canImport(WASILibc)
    // For a system whose C library has no module: functions of <math.h>, declared by name.
    @usableFromInline @_extern(c, "exp") func exp(_ x: Double) -> Double
    @usableFromInline @_extern(c, "expf") func expf(_ x: Float) -> Float
    @usableFromInline @_extern(c, "expm1") func expm1(_ x: Double) -> Double
    @usableFromInline @_extern(c, "log") func log(_ x: Double) -> Double
    @usableFromInline @_extern(c, "logf") func logf(_ x: Float) -> Float
    @usableFromInline @_extern(c, "log1p") func log1p(_ x: Double) -> Double
    @usableFromInline @_extern(c, "sin") func sin(_ x: Double) -> Double
    @usableFromInline @_extern(c, "cos") func cos(_ x: Double) -> Double
    @usableFromInline @_extern(c, "atan2") func atan2(_ y: Double, _ x: Double) -> Double
#endif
