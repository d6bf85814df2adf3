/// Who may talk to the server: this machine's browser, on a page that the server itself has sent.
///
/// A page of another site can make a browser send requests to 127.0.0.1, and a name of that site can be made to resolve
/// to it (DNS rebinding). The first states another `Origin`, the second another `Host`.
package struct OriginRule: Sendable {
    /// What a browser writes for this server: `127.0.0.1:8080`, `localhost:8080`; without the port if it is HTTP's.
    private let hosts: [String]

    package init(port: UInt16) {
        let suffix = port == 80 ? "" : ":\(port)"
        hosts = ["127.0.0.1", "localhost"].map { $0 + suffix }
    }

    /// - Parameter isSocket: whether the request opens a WebSocket, for which browsers always state the origin.
    package func check(_ head: RequestHead, isSocket: Bool) throws(RequestError) {
        guard let host = head.headers["host"], hosts.contains(host.lowercased()) else {
            throw .host(head.headers["host"])
        }
        guard let origin = head.headers["origin"] else {
            if isSocket { throw .origin(nil) }
            return
        }
        guard hosts.contains(where: { origin.lowercased() == "http://" + $0 }) else { throw .origin(origin) }
    }
}
