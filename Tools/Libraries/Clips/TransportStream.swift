import Platform

/// The packets of an MPEG transport stream.
enum TransportStream {
    /// Sizes of a packet: that of ISO 13818-1 alone, after a time of four bytes (Blu-ray), and before 16 bytes of error
    /// correction (DVB).
    private static let sizes = [188, 192, 204]
    private static let syncByte: UInt8 = 0x47

    /// Whether the file is no whole number of packets: it is cut off.
    static func hasPartialPacket(path: String) -> Bool {
        guard var file = try? ByteFile(reading: path), case .regular(let byteCount) = file.kind,
            let start = try? file.bytes(at: 0, count: 5 * 204),
            let size = sizes.first(where: { size in
                let first = size == 192 ? 4 : 0
                return (0..<4).allSatisfy { first + $0 * size < start.count && start[first + $0 * size] == syncByte }
            })
        else { return false }
        return byteCount % size != 0
    }
}
