// Apple's C library: declarations for type-checking, not an implementation.
// swift-format-ignore-file

@_exported import DarwinStat

public typealias mode_t = UInt16
public typealias off_t = Int64

public var errno: Int32 { get set }
public var EAGAIN: Int32 { get }
public var EINTR: Int32 { get }
public var EINVAL: Int32 { get }
public var ENOSYS: Int32 { get }
public var ETIMEDOUT: Int32 { get }
public func strerror(_: Int32) -> UnsafeMutablePointer<CChar>!

// Files.
public var FD_CLOEXEC: Int32 { get }
public var F_GETFL: Int32 { get }
public var F_SETFD: Int32 { get }
public var F_SETFL: Int32 { get }
public var O_CLOEXEC: Int32 { get }
public var O_NOCTTY: Int32 { get }
public var O_NONBLOCK: Int32 { get }
public var O_RDONLY: Int32 { get }
public var PATH_MAX: Int32 { get }
public var POLLIN: Int32 { get }
public var POLLOUT: Int32 { get }
public var SEEK_SET: Int32 { get }
public var STDIN_FILENO: Int32 { get }
public var S_IFDIR: mode_t { get }
public var S_IFIFO: mode_t { get }
public var S_IFMT: mode_t { get }
public var S_IFREG: mode_t { get }
public var X_OK: Int32 { get }
public struct pollfd {
    public init()
    public init(fd: Int32, events: Int16, revents: Int16)
    public var revents: Int16
}
public struct DIR {}
@frozen public struct dirent {
    public init()
    public var d_name: (CChar, CChar)
}
@discardableResult public func access(_: UnsafePointer<CChar>!, _: Int32) -> Int32
@discardableResult public func close(_: Int32) -> Int32
@discardableResult public func closedir(_: UnsafeMutablePointer<DIR>!) -> Int32
public func fcntl(_: Int32, _: Int32) -> Int32
public func fcntl(_: Int32, _: Int32, _: Int32) -> Int32
@discardableResult public func fstat(_: Int32, _: UnsafeMutablePointer<DarwinStat.stat>!) -> Int32
@discardableResult public func getcwd(_: UnsafeMutablePointer<CChar>!, _: Int) -> UnsafeMutablePointer<CChar>!
@discardableResult public func lseek(_: Int32, _: off_t, _: Int32) -> off_t
@discardableResult public func mkstemp(_: UnsafeMutablePointer<CChar>!) -> Int32
public func open(_: UnsafePointer<CChar>, _: Int32) -> Int32
public func opendir(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<DIR>!
@discardableResult public func pipe(_: UnsafeMutablePointer<Int32>!) -> Int32
@discardableResult public func poll(_: UnsafeMutablePointer<pollfd>!, _: UInt32, _: Int32) -> Int32
@discardableResult public func read(_: Int32, _: UnsafeMutableRawPointer!, _: Int) -> Int
public func readdir(_: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>!
@discardableResult public func stat(_: UnsafePointer<CChar>!, _: UnsafeMutablePointer<DarwinStat.stat>!) -> Int32
@discardableResult public func unlink(_: UnsafePointer<CChar>!) -> Int32
@discardableResult public func write(_: Int32, _: UnsafeRawPointer!, _: Int) -> Int

// Memory.
public var MAP_ANON: Int32 { get }
public var MAP_FAILED: UnsafeMutableRawPointer! { get }
public var MAP_PRIVATE: Int32 { get }
public var PROT_NONE: Int32 { get }
public var PROT_READ: Int32 { get }
public var PROT_WRITE: Int32 { get }
public func free(_: UnsafeMutableRawPointer!)
public func mmap(
    _: UnsafeMutableRawPointer!, _: Int, _: Int32, _: Int32, _: Int32, _: off_t
) -> UnsafeMutableRawPointer!
@discardableResult public func mprotect(_: UnsafeMutableRawPointer!, _: Int, _: Int32) -> Int32
@discardableResult public func munmap(_: UnsafeMutableRawPointer!, _: Int) -> Int32
public func strlen(_: UnsafePointer<CChar>!) -> Int

// Threads.
public struct _opaque_pthread_t {}
public struct pthread_attr_t {}
public struct pthread_condattr_t {}
public struct pthread_mutexattr_t {}
public struct pthread_cond_t { public init() }
public struct pthread_mutex_t { public init() }
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
@discardableResult public func pthread_atfork(
    _: (@convention(c) () -> Void)!, _: (@convention(c) () -> Void)!, _: (@convention(c) () -> Void)!
) -> Int32
@discardableResult public func pthread_cond_broadcast(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32
@discardableResult public func pthread_cond_destroy(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32
@discardableResult public func pthread_cond_init(
    _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafePointer<pthread_condattr_t>?
) -> Int32
@discardableResult public func pthread_cond_signal(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32
@discardableResult public func pthread_cond_wait(
    _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32
@discardableResult public func pthread_create(
    _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>?,
    _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32
@discardableResult public func pthread_detach(_: pthread_t) -> Int32
@discardableResult public func pthread_equal(_: pthread_t?, _: pthread_t?) -> Int32
@discardableResult public func pthread_join(
    _: pthread_t, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32
@discardableResult public func pthread_mutex_destroy(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32
@discardableResult public func pthread_mutex_init(
    _: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<pthread_mutexattr_t>?
) -> Int32
@discardableResult public func pthread_mutex_lock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32
@discardableResult public func pthread_mutex_unlock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32
public func pthread_self() -> pthread_t

// The process and the system.
public typealias sig_t = @convention(c) (Int32) -> Void
public var RUSAGE_SELF: Int32 { get }
public var SIGHUP: Int32 { get }
public var SIGINT: Int32 { get }
public var SIGTERM: Int32 { get }
public var SIG_DFL: sig_t? { get }
public var SIG_IGN: sig_t { get }
public var _SC_PAGESIZE: Int32 { get }
public struct rusage {
    public init()
    public var ru_maxrss: Int
    public var ru_nivcsw: Int
}
@unsafe public struct Dl_info {
    public init()
    public var dli_fname: UnsafePointer<CChar>!
}
@discardableResult public func dladdr(_: UnsafeRawPointer!, _: UnsafeMutablePointer<Dl_info>!) -> Int32
public func getpid() -> Int32
@discardableResult public func getrusage(_: Int32, _: UnsafeMutablePointer<rusage>!) -> Int32
@discardableResult public func signal(_: Int32, _: sig_t!) -> sig_t!
public func sysconf(_: Int32) -> Int
@discardableResult public func sysctlbyname(
    _: UnsafePointer<CChar>!, _: UnsafeMutableRawPointer!, _: UnsafeMutablePointer<Int>!, _: UnsafeMutableRawPointer!,
    _: Int
) -> Int32

// Mathematics.
public func atan2(_: Double, _: Double) -> Double
public func cos(_: Double) -> Double
public func exp(_: Double) -> Double
public func expf(_: Float) -> Float
public func expm1(_: Double) -> Double
public func log(_: Double) -> Double
public func log1p(_: Double) -> Double
public func logf(_: Float) -> Float
public func sin(_: Double) -> Double
