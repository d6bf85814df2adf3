/// This target has files alone, and no module imports it: the package manager gives a target with resources an accessor that
/// imports Foundation, and so would every module that imports the target. `BodyWeights` finds the files by `ResourceFolder`.
enum BodyFiles {}
