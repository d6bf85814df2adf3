// Apple's BLAS: declarations for type-checking, not an implementation.
// swift-format-ignore-file

public struct CBLAS_DIAG: Equatable, Sendable {}
public struct CBLAS_ORDER: Equatable, Sendable {}
public struct CBLAS_TRANSPOSE: Equatable, Sendable {}
public struct CBLAS_UPLO: Equatable, Sendable {}
public var CblasLower: CBLAS_UPLO { get }
public var CblasNoTrans: CBLAS_TRANSPOSE { get }
public var CblasNonUnit: CBLAS_DIAG { get }
public var CblasRowMajor: CBLAS_ORDER { get }
public var CblasTrans: CBLAS_TRANSPOSE { get }

// Without this definition a program gets an older interface, which is deprecated.
#if !ACCELERATE_NEW_LAPACK
@available(iOS, deprecated: 16.4) @available(macOS, deprecated: 13.3)
@available(tvOS, deprecated: 16.4) @available(visionOS, deprecated: 1.0)
#endif
public func cblas_ddot(
    _ N: Int32, _ X: UnsafePointer<Double>!, _ INCX: Int32, _ Y: UnsafePointer<Double>!, _ INCY: Int32
) -> Double
#if !ACCELERATE_NEW_LAPACK
@available(iOS, deprecated: 16.4) @available(macOS, deprecated: 13.3)
@available(tvOS, deprecated: 16.4) @available(visionOS, deprecated: 1.0)
#endif
public func cblas_dgemv(
    _ ORDER: CBLAS_ORDER, _ TRANS: CBLAS_TRANSPOSE, _ M: Int32, _ N: Int32, _ ALPHA: Double,
    _ A: UnsafePointer<Double>!, _ LDA: Int32, _ X: UnsafePointer<Double>!, _ INCX: Int32, _ BETA: Double,
    _ Y: UnsafeMutablePointer<Double>!, _ INCY: Int32
)
#if !ACCELERATE_NEW_LAPACK
@available(iOS, deprecated: 16.4) @available(macOS, deprecated: 13.3)
@available(tvOS, deprecated: 16.4) @available(visionOS, deprecated: 1.0)
#endif
public func cblas_dsyrk(
    _ ORDER: CBLAS_ORDER, _ UPLO: CBLAS_UPLO, _ TRANS: CBLAS_TRANSPOSE, _ N: Int32, _ K: Int32, _ ALPHA: Double,
    _ A: UnsafePointer<Double>!, _ LDA: Int32, _ BETA: Double, _ C: UnsafeMutablePointer<Double>!, _ LDC: Int32
)
#if !ACCELERATE_NEW_LAPACK
@available(iOS, deprecated: 16.4) @available(macOS, deprecated: 13.3)
@available(tvOS, deprecated: 16.4) @available(visionOS, deprecated: 1.0)
#endif
public func cblas_dtrsv(
    _ ORDER: CBLAS_ORDER, _ UPLO: CBLAS_UPLO, _ TRANSA: CBLAS_TRANSPOSE, _ DIAG: CBLAS_DIAG, _ N: Int32,
    _ A: UnsafePointer<Double>!, _ LDA: Int32, _ X: UnsafeMutablePointer<Double>!, _ INCX: Int32
)
#if !ACCELERATE_NEW_LAPACK
@available(iOS, deprecated: 16.4) @available(macOS, deprecated: 13.3)
@available(tvOS, deprecated: 16.4) @available(visionOS, deprecated: 1.0)
#endif
public func cblas_sgemm(
    _ ORDER: CBLAS_ORDER, _ TRANSA: CBLAS_TRANSPOSE, _ TRANSB: CBLAS_TRANSPOSE, _ M: Int32, _ N: Int32, _ K: Int32,
    _ ALPHA: Float, _ A: UnsafePointer<Float>!, _ LDA: Int32, _ B: UnsafePointer<Float>!, _ LDB: Int32, _ BETA: Float,
    _ C: UnsafeMutablePointer<Float>!, _ LDC: Int32
)
#if !ACCELERATE_NEW_LAPACK
@available(iOS, deprecated: 16.4) @available(macOS, deprecated: 13.3)
@available(tvOS, deprecated: 16.4) @available(visionOS, deprecated: 1.0)
#endif
public func cblas_sgemv(
    _ ORDER: CBLAS_ORDER, _ TRANSA: CBLAS_TRANSPOSE, _ M: Int32, _ N: Int32, _ ALPHA: Float,
    _ A: UnsafePointer<Float>!, _ LDA: Int32, _ X: UnsafePointer<Float>!, _ INCX: Int32, _ BETA: Float,
    _ Y: UnsafeMutablePointer<Float>!, _ INCY: Int32
)
