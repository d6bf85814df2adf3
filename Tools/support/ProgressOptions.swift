import ArgumentParser
import Foundation

/// The option of every command that takes more than two seconds.
package struct ProgressOptions: ParsableArguments {
    @Flag(help: "Show no progress, which is shown only where standard error is a terminal, and no advice.")
    package var quiet = false

    package init() {}

    /// The progress of work that is counted in `unit`.
    package func progress(_ title: String, total: Double?, unit: String = "") -> WorkProgress {
        WorkProgress(title, total: total, unit: unit, quiet: quiet)
    }

    package func progress(_ title: String, total: Int?, unit: String = "") -> WorkProgress {
        progress(title, total: total.map(Double.init), unit: unit)
    }

    /// The progress of work that prints a line for each piece: not shown where these lines go to a terminal.
    package func progressBesideLines(_ title: String, total: Double?) -> WorkProgress {
        WorkProgress(title, total: total, quiet: quiet || TextStyle.isTerminal(STDOUT_FILENO))
    }
}
