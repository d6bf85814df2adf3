import Foundation

/// Repeats a call while signals interrupt it.
/// - Parameter output: the name in errors.
func retrying(_ output: String, _ call: () -> Int32) throws(OutputError) -> Int32 {
    while true {
        let result = call()
        if result >= 0 { return result }
        guard errno == EINTR else { throw .system(path: output, code: errno) }
    }
}

/// Writes all bytes to a descriptor in as many calls as it takes, and waits while a nonblocking descriptor is full.
/// - Parameter output: the name in errors.
package func writeFully(_ bytes: RawSpan, to descriptor: Int32, _ output: String) throws(OutputError) {
    try unsafe bytes.withUnsafeBytes { buffer throws(OutputError) in
        var rest = unsafe buffer
        while unsafe !rest.isEmpty {
            let count = unsafe write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                continue
            }
            // A call that writes nothing and gives no reason would otherwise be repeated forever.
            let code = count == 0 ? EIO : errno
            if code == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = try retrying(output) { unsafe poll(&request, 1, -1) }
            } else if code != EINTR {
                throw .system(path: output, code: code)
            }
        }
    }
}
