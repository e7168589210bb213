#pragma once

namespace CLI {
class App;
}

namespace agpusim {

/// `agpusim why`: explains the predicted time of one run, and how it differs from a measured one.
void setup_why(CLI::App& app);

}  // namespace agpusim
