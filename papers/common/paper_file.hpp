#pragma once

#include <filesystem>
#include <string>

namespace agpusim {

/// A file that agpusim carries of a paper, for example "statistics/plan.json": of the installation
/// or of the source tree, whichever has the bundled measurements.
[[nodiscard]] std::filesystem::path paper_file(const std::string& name);

}  // namespace agpusim
