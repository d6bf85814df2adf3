/// An error of the tools that can say what went wrong to a person. The libraries' own have descriptions.
package protocol Explained: Error {
    /// One sentence, or several lines.
    var sentence: String { get }
    /// Exit status of a command that ends with it; 1 unless it has one of its own.
    var status: Int32 { get }
}

extension Explained {
    package var status: Int32 { 1 }
}

/// What went wrong, for any error.
package func sentence(for error: any Error) -> String {
    if let explained = error as? any Explained { return explained.sentence }
    let text = "\(error)"
    return text.hasSuffix(".") || text.contains("\n") ? text : text + "."
}

/// The exit status of a command that ends with the error.
func status(of error: any Error) -> Int32 { (error as? any Explained)?.status ?? 1 }
