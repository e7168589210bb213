#include <algorithm>
#include <set>
#include <thread>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/rows.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/records/data_folder.hpp"

using namespace agpusim;
using namespace agpusim::test;
using agpusim::detail::Json;

namespace {

/// The message of reading a file with this content.
std::string refusal(const std::string& text) {
  const TempFolder folder;
  put(folder / "r.jsonl", text);
  return message_of<FileError>([&] { return read_records(folder / "r.jsonl"); });
}

/// A valid line after `change` was applied to its JSON, with a new digest.
template <class F>
std::string resealed(const std::string& line, F change) {
  Json json = detail::unseal(line);
  const auto kind = json.at("kind").get<std::string>();
  change(json);
  return detail::seal(json, kind) + "\n";
}

}  // namespace

TEST_CASE("FNV-1a of published values", "[validation][record]") {
  CHECK(detail::fnv1a("") == 0xcbf29ce484222325U);
  CHECK(detail::fnv1a("a") == 0xaf63dc4c8601ec8cU);
  CHECK(detail::fnv1a("foobar") == 0x85944171f73967e8U);
}

TEST_CASE("records come back as they were written", "[validation][record]") {
  const TempFolder folder;
  auto timing = fake_timing(1000, 0.123456789);
  timing.checksum = 0xFFFFFFFFFFFFFFFFU;
  timing.config.seed = 0x8000000000000001U;
  timing.config.spec.bank_mode = BankMode::strict;
  timing.config.spec.assignment = Assignment::next_fit;
  timing.config.spec.skip_empty = false;
  const auto counters = fake_counters(1000, 1);
  append_records(folder / "r.jsonl", {to_line(timing), to_line(counters)});
  const auto file = read_records(folder / "r.jsonl");
  REQUIRE(file.timings.size() == 1);
  REQUIRE(file.counters.size() == 1);
  CHECK(file.timings[0].config == timing.config);
  CHECK(file.timings[0].checksum == timing.checksum);
  CHECK(file.timings[0].samples.microseconds == timing.samples.microseconds);
  CHECK(file.timings[0].samples.stop == "stable");
  CHECK(file.timings[0].environment.device == "Fake GPU");
  CHECK(file.timings[0].environment.memory_bytes == 1 << 30);
  CHECK(file.timings[0].date == timing.date);
  CHECK_THAT(file.timings[0].origin, says("r.jsonl:1"));
  CHECK(file.counters[0].launch == 1);
  CHECK(file.counters[0].kernel == "copy_back");
  CHECK(file.counters[0].metrics == counters.metrics);
  CHECK_THAT(file.counters[0].origin, says("r.jsonl:2"));
}

TEST_CASE("an edited record is refused with its line", "[validation][record][bad_input]") {
  std::string line = to_line(fake_timing(1000, 1));
  line.replace(line.find("\"n\":1000"), 8, "\"n\":1001");
  const std::string message = refusal(to_line(fake_timing(1, 1)) + "\n" + line + "\n");
  CHECK_THAT(message, says("r.jsonl:2: the digest does not match", "measure again"));
}

TEST_CASE("no single changed character of a record is accepted", "[validation][record][ruler]") {
  const std::string line = to_line(fake_counters(1000, 0));
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::string edited = line;
    edited[i] = edited[i] == '7' ? '8' : '7';
    INFO(edited);
    CHECK_THROWS_AS(detail::unseal(edited), detail::JsonError);
  }
}

TEST_CASE("no truncation of a file is accepted", "[validation][record][ruler]") {
  const std::string text = to_line(fake_counters(1000, 0)) + "\n";
  for (std::size_t length = 0; length < text.size(); length += 7) {
    INFO(length);
    CHECK_FALSE(refusal(text.substr(0, length)).empty());
  }
  CHECK_THAT(refusal(text.substr(0, text.size() - 1)),
             says("r.jsonl:1: the last line is truncated"));
  CHECK_THAT(refusal(""), says("the file is empty"));
}

TEST_CASE("a record of another schema is refused", "[validation][record][bad_input]") {
  std::string line = to_line(fake_timing(1000, 1));
  line.replace(line.find("\"schema\":1"), 10, "\"schema\":2");
  CHECK_THAT(refusal(line + "\n"), says("was written by schema 2, this agpusim reads 1"));
}

TEST_CASE("a line that is not JSON is refused", "[validation][record][bad_input]") {
  CHECK_THAT(refusal("n,time\n1,2\n"), says("r.jsonl:1: no record"));
  CHECK_THAT(refusal("[1]\n"), says("no record"));
  CHECK_THAT(refusal("{}\n"), says("field 'schema' is missing"));
  CHECK_THAT(refusal(std::string(100000, '[') + "\n"), says("no record"));
  CHECK_THAT(refusal(std::string("\xff\x00\n", 3)), says("no record"));
}

TEST_CASE("every field of a record is needed", "[validation][record][bad_input]") {
  for (const std::string& line : {to_line(fake_timing(1000, 1)), to_line(fake_counters(1000, 1))}) {
    const Json record = detail::unseal(line);
    for (const auto& [name, value] : record.items()) {
      if (name == "kind" || name == "schema") continue;
      const std::string key = name;
      INFO(key);
      CHECK_THAT(refusal(resealed(line, [&](Json& json) { json.erase(key); })),
                 says("field '" + key + "' is missing"));
      CHECK_FALSE(refusal(resealed(line, [&](Json& json) { json[key] = nullptr; })).empty());
    }
    for (const std::string object : {"config", "environment"}) {
      for (const auto& [name, value] : record.at(object).items()) {
        const std::string key = name;
        INFO(object << "." << key);
        CHECK_THAT(refusal(resealed(line, [&](Json& json) { json[object].erase(key); })),
                   says("field '" + key + "' is missing"));
      }
    }
  }
}

TEST_CASE("values out of range and other kinds are refused", "[validation][record][bad_input]") {
  struct Change {
    const char* place;
    Json value;
    const char* part;
  };
  const char* const times = "'microseconds' is not a list of positive numbers";
  for (const Change& change :
       {Change{"/config/n", 0xFFFFFFFFFFFFFFFFU, "field 'n' is not in the range"},
        {"/config/machine/b", std::int64_t{1} << 32, "field 'b' is not in the range"},
        {"/config/seed", -1, "'seed'"},
        {"/config/n", 1.5, "field 'n' is not an integer"},
        {"/config/machine/bank_mode", "x", "unknown value 'x'"},
        {"/checksum", "12", "'checksum' is not 16 hexadecimal digits"},
        {"/microseconds", Json::array(), times},
        {"/microseconds", Json::array({1.0, -1.0}), times},
        {"/microseconds", Json::array({5e-324}), times}}) {  // its reciprocal is infinite
    CAPTURE(change.place, change.value.dump());
    const auto set = [&](Json& json) { json[Json::json_pointer(change.place)] = change.value; };
    CHECK_THAT(refusal(resealed(to_line(fake_timing(1000, 1)), set)), says(change.part));
  }
  CHECK_THAT(refusal(detail::seal(Json::object(), "plan") + "\n"),
             says("kind 'plan' is not a measurement"));
}

TEST_CASE("files that cannot be read or written are named", "[validation][record][bad_input]") {
  const TempFolder folder;
  const auto reading = [](const std::filesystem::path& path) {
    return message_of<IoError>([&] { return read_records(path); });
  };
  CHECK_THAT(reading(folder / "none.jsonl"), says("none.jsonl"));
  CHECK_THAT(reading(folder.path()), says("it is a folder"));
  CHECK_THAT(message_of<IoError>([&] { return read_all_records(folder / "none"); }), says("none"));
  CHECK_THAT(message_of<IoError>([&] { append_records(folder / "none/r.jsonl", {"x"}); }),
             says("none/r.jsonl"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("appending keeps what is there but for a record that is cut", "[validation][record]") {
  const TempFolder folder;
  const std::string line = to_line(fake_timing(1000, 1));
  append_records(folder / "r.jsonl", {line});
  append_records(folder / "r.jsonl", {line, line});
  CHECK(content(folder / "r.jsonl") == line + "\n" + line + "\n" + line + "\n");
  put(folder / "r.jsonl", line + "\n{\"checks");
  append_records(folder / "r.jsonl", {line});
  CHECK(content(folder / "r.jsonl") == line + "\n" + line + "\n");
  for (const char* const other : {"a text\nof others", R"({"name": "x"})", R"({"checksum": 7})"}) {
    put(folder / "r.jsonl", other);
    CHECK_THAT(message_of<FileError>([&] { append_records(folder / "r.jsonl", {line}); }),
               says("r.jsonl: its last line is no record"));
    CHECK(content(folder / "r.jsonl") == other);
  }
}

TEST_CASE("lines of processes that add to one file at a time are all kept",
          "[validation][record]") {
  const TempFolder folder;
  constexpr int writers = 4;
  constexpr int turns = 25;
  std::vector<std::thread> threads;  // each opens the folder itself, as a process does
  for (int i = 0; i < writers; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < turns; ++turn) {
        append_records(folder / "r.jsonl", {to_line(fake_timing(1, 1))});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(read_records(folder / "r.jsonl").timings.size() == writers * turns);
}

TEST_CASE("a folder is read in sorted order, below and by extension", "[validation][record]") {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "a");
  append_records(folder / "b.jsonl", {to_line(fake_timing(3, 1))});
  append_records(folder / "a/z.jsonl", {to_line(fake_timing(1, 1))});
  append_records(folder / "a.jsonl", {to_line(fake_timing(2, 1))});
  put(folder / "notes.txt", "not a record");
  const auto file = read_all_records(folder.path());
  REQUIRE(file.timings.size() == 3);
  CHECK(file.timings[0].config.n == 1);
  CHECK(file.timings[1].config.n == 2);
  CHECK(file.timings[2].config.n == 3);
}

TEST_CASE("the bundled records all load, can be run and have a device file",
          "[validation][record]") {
  const auto folder = data_folder();
  const auto shown = record_folders({"analysis", "table"});
  std::int64_t lines = 0;
  for (const std::filesystem::path& part : shown) {
    for (const auto& entry : std::filesystem::directory_iterator(part)) {
      INFO(entry.path());
      CHECK(detail::is_json_lines(entry.path()));
      const std::string text = detail::content_of(entry.path());
      lines += std::count(text.begin(), text.end(), '\n');
    }
  }
  const auto records = read_all_records(shown);
  CHECK_FALSE(records.timings.empty());
  CHECK_FALSE(records.counters.empty());
  CHECK(std::ssize(records.timings) + std::ssize(records.counters) == lines);

  std::set<std::string> devices;
  const auto check = [&](const auto& record) {
    CAPTURE(record.origin);
    devices.insert(record.environment.device);
    CHECK(resolve(row(record.config.algorithm), record.config) == record.config);
  };
  for (const auto& record : records.timings) check(record);
  for (const auto& record : records.counters) check(record);
  for (const std::string& device : devices) {
    CHECK(find_device(folder / "devices", device).name == device);
  }
}

TEST_CASE("every bundled file of times or counters is in a folder of records",
          "[validation][record]") {
  const std::vector<std::filesystem::path> folders = record_folders();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_folder() / "data")) {
    if (!entry.is_regular_file()) continue;
    INFO(entry.path());
    const std::string text = detail::content_of(entry.path());
    const bool measured = text.find(R"("kind":"timing")") != std::string::npos ||
                          text.find(R"("kind":"counters")") != std::string::npos;
    const auto folder = entry.path().parent_path();
    const bool is_of_table = folder.filename() != "zoo";  // whose kernels are no rows
    CHECK((std::find(folders.begin(), folders.end(), folder) != folders.end()) ==
          (measured && is_of_table));
  }
  CHECK_FALSE(read_all_records(folders).counters.empty());
}
