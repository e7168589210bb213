#pragma once

namespace CLI {
class App;
}

namespace agpusim {

/// Adds `agpusim step`: every instruction or PRAM step of a small run, in the terminal or as a
/// page.
void setup_step(CLI::App& app);

}  // namespace agpusim
