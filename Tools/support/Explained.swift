import Foundation

/// An error that can say what went wrong to a person. Libraries throw data; the commands make sentences of it here.
package protocol Explained: Error {
    /// One sentence, or several lines.
    var sentence: String { get }
}

/// What went wrong, for any error.
package func sentence(for error: any Error) -> String {
    (error as? any Explained)?.sentence ?? "\(error)."
}

/// The system's words for an `errno`.
package func systemReason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
