extension SimulationReport {
    /// The report as one HTML page: the drawing, the numbers and the log.
    package var page: String {
        var page = HTMLPage(
            "Simulation: \(scenario.name)",
            lead: "\(scenario.about) \(scenario.rate) slots a second, "
                + "\(BandedChart.clockText(scenario.seconds)) long, seed \(seed). "
                + "The device is simulated, the decisions are the engine's.")
        page.picture(SimulationPicture(self).document)
        page.heading("Numbers")
        page.facts(summary.rows.map { ($0.name, $0.value) })
        page.heading("Log")
        page.log(log)
        return page.document
    }
}
