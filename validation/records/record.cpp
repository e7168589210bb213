#include "agpusim/validation/records/record.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim {
namespace {

using detail::Json;

template <class Record>
Json encode_common(const Record& record) {
  return {{"environment", detail::encode(record.environment)},
          {"date", record.date},
          {"config", detail::encode(record.config)},
          {"checksum", detail::to_hex(record.checksum)}};
}

template <class Record>
Record decode_common(const Json& json, const std::string& origin) {
  Record record;
  record.environment = detail::decode_environment(detail::member(json, "environment"));
  record.date = detail::field<std::string>(json, "date");
  record.config = detail::decode_config(detail::member(json, "config"));
  record.checksum = detail::hex_field(json, "checksum");
  record.origin = origin;
  return record;
}

TimingRecord decode_timing(const Json& json, const std::string& origin) {
  auto record = decode_common<TimingRecord>(json, origin);
  const Json& samples = detail::member(json, "microseconds");
  const auto usable = [](const Json& sample) {
    return sample.is_number() && std::isnormal(sample.get<double>()) && sample.get<double>() > 0;
  };
  if (!samples.is_array() || samples.empty() ||
      !std::all_of(samples.begin(), samples.end(), usable)) {
    throw detail::JsonError("field 'microseconds' is not a list of positive numbers");
  }
  record.samples.microseconds = samples.get<std::vector<double>>();
  record.samples.stop = detail::field<std::string>(json, "stop");
  return record;
}

CounterRecord decode_counters(const Json& json, const std::string& origin) {
  auto record = decode_common<CounterRecord>(json, origin);
  record.launch = detail::field<std::int64_t>(json, "launch");
  record.kernel = detail::field<std::string>(json, "kernel");
  const Json& metrics = detail::member(json, "metrics");
  if (!metrics.is_object()) throw detail::JsonError("field 'metrics' is not an object");
  for (const auto& [name, value] : metrics.items()) {
    record.metrics[name] = detail::field<std::int64_t>(metrics, name);
  }
  return record;
}

/// Held while a process adds to a file, which others may add to as well.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path) {
    if (is_written_in_place(path)) return;
    file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    while (file_ >= 0 && why_not_.empty() && flock(file_, LOCK_EX) != 0) {
      if (errno != EINTR) why_not_ = std::generic_category().message(errno);
    }
  }
  ~FileLock() { close(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  [[nodiscard]] const std::string& why_not() const { return why_not_; }

 private:
  int file_ = -1;
  std::string why_not_;
};

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

std::uintmax_t end_of_whole_lines(const std::filesystem::path& path, std::string_view record) {
  std::fstream file(path, std::ios::in | std::ios::binary);
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path));
  std::streamoff begin = size;
  const auto before = [&] { return file.seekg(begin - 1).get(); };
  while (begin > 0 && before() != '\n') --begin;
  std::string part(static_cast<std::size_t>(size - begin), ' ');
  file.seekg(begin).read(part.data(), size - begin);
  const std::string_view first = record.substr(0, record.find(':') + 1);
  const bool is_other = Json::accept(part) && part.find("\"digest\":\"") == std::string::npos;
  if (is_other || part.substr(0, first.size()) != first.substr(0, part.size())) {
    throw FileError(
        fmt::format("{}: its last line is no record: name another file", path.string()));
  }
  return static_cast<std::uintmax_t>(begin);
}

std::string to_line(const TimingRecord& record) {
  Json json = encode_common(record);
  json["microseconds"] = record.samples.microseconds;
  json["stop"] = record.samples.stop;
  return detail::seal(std::move(json), "timing");
}

std::string to_line(const CounterRecord& record) {
  Json json = encode_common(record);
  json["launch"] = record.launch;
  json["kernel"] = record.kernel;
  json["metrics"] = record.metrics;
  return detail::seal(std::move(json), "counters");
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string utc_today() { return utc_now().substr(0, sizeof "2026-01-01" - 1); }

std::string short_origin(const std::filesystem::path& origin) {
  return (origin.parent_path().filename() / origin.filename()).string();
}

RecordFile read_records(const std::filesystem::path& path, const detail::DamagedLine& damaged,
                        const detail::WantedLine& wanted) {
  RecordFile file;
  const auto use = [&](const Json& json, const std::string& origin) {
    const auto kind = detail::field<std::string>(json, "kind");
    if (kind == "timing") {
      file.timings.push_back(decode_timing(json, origin));
    } else if (kind == "counters") {
      file.counters.push_back(decode_counters(json, origin));
    } else {
      throw detail::JsonError(
          fmt::format("kind '{}' is not a measurement (timing or counters)", kind));
    }
  };
  detail::for_each_line(path, use, damaged, wanted);
  return file;
}

RecordFile read_all_records(const std::filesystem::path& folder, const detail::DamagedLine& damaged,
                            const detail::WantedLine& wanted) {
  std::vector<std::filesystem::path> paths;
  try {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (detail::is_json_lines(entry.path()) && entry.is_regular_file()) {
        paths.push_back(entry.path());
      }
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw IoError(
        fmt::format("cannot read the folder {}: {}", folder.string(), error.code().message()));
  }
  std::sort(paths.begin(), paths.end());
  return read_all_records(paths, damaged, wanted);
}

RecordFile read_all_records(const std::vector<std::filesystem::path>& paths,
                            const detail::DamagedLine& damaged, const detail::WantedLine& wanted) {
  RecordFile all;
  for (const auto& path : paths) {
    RecordFile file = std::filesystem::is_directory(path) ? read_all_records(path, damaged, wanted)
                                                          : read_records(path, damaged, wanted);
    append(all.timings, std::move(file.timings));
    append(all.counters, std::move(file.counters));
  }
  return all;
}

RecordFile records_of(const std::vector<std::filesystem::path>& paths,
                      const std::vector<std::string>& algorithms) {
  if (!paths.empty()) return read_all_records(paths);
  std::vector<std::string> members;  // as to_line writes them
  for (const std::string& name : algorithms) {
    members.push_back(fmt::format("\"algorithm\":\"{}\"", name));
  }
  return read_all_records(record_folders(), {}, [&](std::string_view line) {
    return std::any_of(members.begin(), members.end(), [&](const std::string& member) {
      return line.find(member) != std::string_view::npos;
    });
  });
}

std::string append_records(const std::filesystem::path& path,
                           const std::vector<std::string>& lines) {
  const FileLock lock(path);
  if (std::filesystem::is_regular_file(path)) {
    std::filesystem::resize_file(path, end_of_whole_lines(path, lines.front()));
  }
  append_file(path, fmt::format("{}\n", fmt::join(lines, "\n")));
  return lock.why_not();
}

}  // namespace agpusim
