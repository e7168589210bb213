#include "agpusim/validation/io/json_lines.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/io/xz.hpp"

namespace agpusim::detail {
namespace {

constexpr const char* restore = "restore the file or measure again";
constexpr std::size_t most_of_line = std::size_t{1} << 26;  // bytes

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
  // The line without its digest, where it is as seal() wrote it; otherwise written again.
  const std::string member = fmt::format("\"digest\":\"{}\",", to_hex(digest));
  const std::size_t at = line.find(member);
  if (at != std::string_view::npos) {
    const std::string body =
        std::string(line.substr(0, at)).append(line.substr(at + member.size()));
    if (fnv1a(body) == digest) return json;
  }
  if (fnv1a(json.dump()) != digest) {
    throw JsonError("the digest does not match: the line was edited or damaged");
  }
  return json;
}

bool is_json_lines(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".jsonl") || name.ends_with(".jsonl.xz");
}

std::string content_of(const std::filesystem::path& path) {
  return path.extension() == ".xz" ? read_xz(path) : read_file(path);
}

void for_each_line(const std::filesystem::path& path,
                   const std::function<void(const Json&, const std::string& origin)>& use,
                   const DamagedLine& damaged, const WantedLine& wanted) {
  const auto refuse = [&](const std::string& origin, const std::string& reason) {
    if (!damaged) throw FileError(fmt::format("{}: {}; {}", origin, reason, restore));
    damaged(origin, reason);
  };
  std::int64_t number = 0;
  const auto take = [&](std::string_view line, bool is_whole) {
    const std::string origin = fmt::format("{}:{}", path.string(), ++number);
    if (!line.starts_with('{')) {
      refuse(origin, "no record: a line of a record file is a JSON object");
    } else if (!is_whole) {
      refuse(origin, truncated);
    } else if (!wanted || wanted(line)) {
      try {
        use(unseal(line), origin);
      } catch (const JsonError& error) {
        refuse(origin, error.what());
      }
    }
  };
  std::string line;
  const auto read = [&](std::string_view part) {
    for (std::size_t end = 0; (end = part.find('\n')) != std::string_view::npos;) {
      take(line.append(part.substr(0, end)), true);
      line.clear();
      part.remove_prefix(end + 1);
    }
    line.append(part);
    if (line.size() <= most_of_line) return;
    throw IoError(fmt::format("cannot read {}: a line has more than 64 MiB", path.string()));
  };
  if (path.extension() == ".xz") {
    read(content_of(path));
  } else {
    read_parts(path, read);
  }
  if (!line.empty()) take(line, false);
  if (number == 0) refuse(path.string(), "the file is empty");
}

}  // namespace agpusim::detail
