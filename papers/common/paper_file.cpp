#include "agpusim/papers/common/paper_file.hpp"

#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {

std::filesystem::path paper_file(const std::string& name) {
  const std::filesystem::path data = data_folder();
  const std::filesystem::path installed = data / "papers";
  return (is_directory(installed) ? installed : data.parent_path() / "papers") / name;
}

}  // namespace agpusim
