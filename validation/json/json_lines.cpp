#include "agpusim/validation/json/json_lines.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/report/atomic_file.hpp"

namespace agpusim::detail {
namespace {

constexpr const char* restore = "restore the file or measure again";

}  // namespace

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::string seal(Json body, std::string_view kind) {
  body["schema"] = record_schema;
  body["kind"] = kind;
  body["digest"] = to_hex(fnv1a(body.dump()));
  return body.dump();
}

Json unseal(std::string_view line) {
  Json json = parse_object(line);
  const auto schema = field<std::int64_t>(json, "schema");
  if (schema != record_schema) {
    throw JsonError(
        fmt::format("was written by schema {}, this agpusim reads {}", schema, record_schema));
  }
  const std::uint64_t digest = hex_field(json, "digest");
  json.erase("digest");
  if (fnv1a(json.dump()) != digest) {
    throw JsonError("the digest does not match: the line was edited or damaged");
  }
  return json;
}

void for_each_line(const std::filesystem::path& path,
                   const std::function<void(const Json&, const std::string& origin)>& use) {
  const std::string content = read_file(path);
  if (content.empty())
    throw FileError(fmt::format("{}: the file is empty; {}", path.string(), restore));
  std::size_t begin = 0;
  for (std::int64_t number = 1; begin < content.size(); ++number) {
    const std::string origin = fmt::format("{}:{}", path.string(), number);
    if (content[begin] != '{') {
      throw FileError(
          fmt::format("{}: no record: a line of a record file is a JSON object that `agpusim "
                      "measure` or `import-counters` wrote; {}",
                      origin, restore));
    }
    const std::size_t end = content.find('\n', begin);
    if (end == std::string::npos) {
      throw FileError(fmt::format("{}: the last line is truncated; {}", origin, restore));
    }
    try {
      use(unseal(std::string_view(content).substr(begin, end - begin)), origin);
    } catch (const JsonError& error) {
      throw FileError(fmt::format("{}: {}; {}", origin, error.what(), restore));
    }
    begin = end + 1;
  }
}

}  // namespace agpusim::detail
