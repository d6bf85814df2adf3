/// The colours of a drawing that do not stand for a class: fixed in a file of its own, and those of its theme in a page.
struct PictureColours {
    let ink, faint, paper, band, line, right, wrong: String
    /// Text on a cell of full colour.
    let onFull: String
    /// The background of the whole drawing; nil leaves it transparent.
    let background: String?

    static let file = PictureColours(
        ink: "#222222", faint: "#777777", paper: "#ffffff", band: "#f4f4f4", line: "#eeeeee", right: "#1f5c99",
        wrong: "#be2828", onFull: "#ffffff", background: "#ffffff")
    static let page = PictureColours(
        ink: "var(--ink)", faint: "var(--faint)", paper: "var(--paper)", band: "var(--band)", line: "var(--grid)",
        right: "var(--blue)", wrong: "var(--red)", onFull: "var(--paper)", background: nil)
}
