#include "agpusim/papers/common/paper_json.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {

std::filesystem::path paper_file(const std::string& name) {
  const std::filesystem::path data = data_folder();
  const std::filesystem::path installed = data / "papers";
  return (is_directory(installed) ? installed : data.parent_path() / "papers") / name;
}

namespace detail {

void read_paper(const std::filesystem::path& path, const std::function<void(const Json&)>& read) {
  try {
    const Json json = parse_object(read_file(path));
    if (field<std::int64_t>(json, "schema") != 1) throw JsonError("field 'schema' is not 1");
    read(json);
  } catch (const JsonError& error) {
    throw FileError(fmt::format("{}: {}; restore the file", path.string(), error.what()));
  }
}

void for_each_entry(const Json& json, const std::string& kind,
                    const std::function<void(const Json&)>& visit) {
  int number = 0;
  for (const Json& entry : list_in(json, kind + "s")) {
    ++number;
    try {
      visit(entry);
    } catch (const JsonError& error) {
      throw JsonError(fmt::format("{} {}: {}", kind, number, error.what()));
    }
  }
}

const Json& list_in(const Json& json, const std::string& name) {
  const Json& list = member(json, name);
  if (!list.is_array()) throw JsonError("field '" + name + "' is not a list");
  return list;
}

}  // namespace detail
}  // namespace agpusim
