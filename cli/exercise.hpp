#pragma once

namespace CLI {
class App;
}

namespace agpusim {

/// Adds `agpusim exercise list|start|grade`.
void setup_exercise(CLI::App& app);

}  // namespace agpusim
