import Foundation
import Platform

/// An error of the tools with a sentence for the user. The libraries' errors have descriptions.
package protocol Explained: Error {
    /// One sentence, or several lines.
    var sentence: String { get }
    /// Exit status of a command that ends with this error; 1 by default.
    var status: Int32 { get }
}

extension Explained {
    package var status: Int32 { 1 }
}

/// A sentence for any error.
package func sentence(for error: any Error) -> String {
    if let explained = error as? any Explained { return explained.sentence }
    if let error = error as? CocoaError { return sentence(for: error) }
    let text = "\(error)"
    return text.hasSuffix(".") || text.contains("\n") ? text : text + "."
}

/// A sentence for Foundation's file errors.
private func sentence(for error: CocoaError) -> String {
    let reason = (error.underlying as? POSIXError).map { SystemError.reason($0.code.rawValue) }
    return visible(error.filePath ?? "A file") + " cannot be used: " + (reason ?? error.localizedDescription) + "."
}

/// The exit status of a command that ends with this error.
func status(of error: any Error) -> Int32 { (error as? any Explained)?.status ?? 1 }
