import Foundation

/// Ends the program with a sentence.
func fatal(_ sentence: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
    exit(status)
}
