#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/fake_algorithm.hpp"
#include "agpusim/tests/support/temp_folder.hpp"
#include "agpusim/validation/records/data_folder.hpp"

using namespace agpusim;
using namespace agpusim::test;

namespace {

std::string refusal_of_device(const std::string& text) {
  const TempFolder folder;
  put(folder / "d.json", text);
  return message_of<FileError>([&] { return load_device(folder / "d.json"); });
}

std::string with_constant(const std::string& fields) {
  return R"({"schema":1,"device":"X","constants":{"launch":{)" + fields + "}}}";
}

}  // namespace

TEST_CASE("a device file gives its constants", "[validation][device]") {
  const TempFolder folder;
  put(folder / "d.json", fake_device_json());
  const auto device = load_device(folder / "d.json");
  CHECK(device.name == "Fake GPU");
  CHECK(device.path == folder / "d.json");
  CHECK(device.value("launch") == 2);
  CHECK(device.constants.front().source == "test");
  CHECK_THAT(message_of<FileError>([&] { return device.value("speed"); }),
             says("d.json: the constant 'speed' is missing"));
}

TEST_CASE("a constant needs a value, a unit, a source and a date",
          "[validation][device][bad_input]") {
  const std::string unit = R"("unit":"us")";
  const std::string source = R"("source":"me")";
  const std::string date = R"("date":"2026-11-20")";
  const std::string value = R"("value":2.6)";
  CHECK(refusal_of_device(with_constant(value + "," + unit + "," + source + "," + date)).empty());
  CHECK_THAT(refusal_of_device(with_constant(unit + "," + source + "," + date)),
             says("constant 'launch': field 'value' is missing"));
  CHECK_THAT(refusal_of_device(with_constant(value + "," + source + "," + date)),
             says("constant 'launch': field 'unit' is missing"));
  CHECK_THAT(refusal_of_device(with_constant(value + "," + unit + "," + date)),
             says("constant 'launch': field 'source' is missing"));
  CHECK_THAT(refusal_of_device(with_constant(value + "," + unit + "," + source)),
             says("constant 'launch': field 'date' is missing"));
  CHECK_THAT(refusal_of_device(with_constant(value + R"(,"unit":"",)" + source + "," + date)),
             says("field 'unit' is empty"));
  CHECK_THAT(refusal_of_device(with_constant(R"("value":-1,)" + unit + "," + source + "," + date)),
             says("field 'value' is not a positive number"));
  CHECK_THAT(refusal_of_device(with_constant(R"("value":"2",)" + unit + "," + source + "," + date)),
             says("field 'value' is not a number"));
}

TEST_CASE("a file of before machines has the newer constants of an H200", "[validation][device]") {
  const TempFolder folder;
  put(folder / "d.json", fake_device_json());
  const auto device = load_device(folder / "d.json");
  CHECK(device.machines.empty());
  CHECK_FALSE(device.has("registers_per_multiprocessor"));
  CHECK(device.value("registers_per_multiprocessor") == 65'536);
  CHECK(device.value("registers_per_thread") == 255);
  CHECK(device.value("reserved_shared_bytes_per_cta") == 1024);
  CHECK(device.value("schedulers_per_multiprocessor") == 4);
  CHECK(device.value("counting_sort_launch") == 3.3);
}

TEST_CASE("a machine of a device file needs a name, a summary and numbers that fit each other",
          "[validation][device][bad_input]") {
  const auto refusal_of = [](const std::string& machines) {
    return refusal_of_device(R"({"schema":1,"device":"X","constants":{},"machines":)" + machines +
                             "}");
  };
  const auto machine = [](const char* name, const char* p) {
    return std::string(R"({"name":")") + name + R"(","summary":"s","p":)" + p +
           R"(,"b":32,"M":64,"w":32,"V":32})";
  };
  CHECK(refusal_of("[" + machine("x", "320") + "," + machine("y", "320") + "]").empty());
  CHECK_THAT(refusal_of("{}"), says("field 'machines' is not a list"));
  CHECK_THAT(refusal_of("[1]"), says("a machine is not an object"));
  CHECK_THAT(refusal_of(R"([{"name":"x"}])"), says("machine 'x': field 'summary' is missing"));
  CHECK_THAT(refusal_of("[" + machine("x,y", "320") + "]"), says("'x,y' is no name of a machine"));
  CHECK_THAT(refusal_of("[" + machine("x", "33") + "]"), says("machine 'x': "));
  CHECK_THAT(refusal_of("[" + machine("x", "320") + "," + machine("x", "64") + "]"),
             says("two machines are named 'x'"));
}

TEST_CASE("a file that is no device file is refused", "[validation][device][bad_input]") {
  CHECK_THAT(refusal_of_device("{"), says("d.json: not valid JSON"));
  CHECK_THAT(refusal_of_device(R"({"schema":2})"),
             says("was written by schema 2, this agpusim reads 1"));
  CHECK_THAT(refusal_of_device(R"({"schema":1})"), says("field 'device' is missing"));
  CHECK_THAT(refusal_of_device(R"({"schema":1,"device":"X"})"),
             says("field 'constants' is missing"));
  CHECK_THAT(refusal_of_device(R"({"schema":1,"device":"X","constants":[]})"),
             says("field 'constants' is not an object"));
  CHECK_THAT(message_of<IoError>([] { return load_device("none.json"); }), says("none.json"));
}

TEST_CASE("a device is found by its name", "[validation][device]") {
  const TempFolder folder;
  put(folder / "a.json", R"({"schema":1,"device":"Other","constants":{}})");
  put(folder / "b.json", fake_device_json());
  CHECK(find_device(folder.path(), "Fake GPU").path == folder / "b.json");
  CHECK(find_device(folder / "b.json", "Fake GPU").path == folder / "b.json");
  CHECK(find_device(folder.path(), "b").path == folder / "b.json");
  CHECK_THAT(message_of<UsageError>([&] { return find_device(folder.path(), "Third"); }),
             says("unknown device 'Third': known: a (Other), b (Fake GPU), in "));
  put(folder / "c.json", fake_device_json());
  CHECK_THAT(message_of<FileError>([&] { return find_device(folder.path(), "Fake GPU"); }),
             says("both describe 'Fake GPU'"));
  CHECK_THAT(message_of<IoError>([&] { return find_device(folder / "none", "X"); }), says("none"));
}

TEST_CASE("the bundled device file is readable", "[validation][device]") {
  const auto device = find_device(data_folder() / "devices", "NVIDIA H200");
  for (const auto& constant : fake_device().constants) {
    INFO(constant.name);
    CHECK(device.value(constant.name) > 0);
  }
}
