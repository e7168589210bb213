#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/device_file.hpp"

// A card of a user: commands know its machines and constants from its device file alone.
namespace agpusim {
namespace {

using test::check_refused;
using test::output_of_cli;
using test::run_cli;

/// An H200 with 10 multiprocessors and little shared memory.
DeviceFile card() {
  DeviceFile device = load_device(data_folder() / "devices" / "h200.json");
  device.name = "My Card";
  device.set({"multiprocessors", 10, "1", "test", "", "2026-11-25"});
  device.set({"shared_bytes_per_multiprocessor", 16'384, "B", "test", "", "2026-11-25"});
  AgpuSpec spec{.cores = 320, .shared_words = 8192};
  device.machines = {{"mycard", "My Card, a task per warp", spec}};
  spec.width = 256;
  device.machines.push_back({"mycard-block", "My Card, a task per CTA of 256 threads", spec});
  return device;
}

TEST_CASE("a device file of a user is a machine by itself", "[cli][device]") {
  const test::TempFolder folder;
  const std::string file = folder.file("any name.json");
  test::put(file, device_file_text(card()));
  const std::string in_folder = " --devices '" + folder.path().string() + "'";
  for (const std::string& options :
       {" --machine mycard" + in_folder, " --machine mycard-block" + in_folder,
        " --machine mycard --devices '" + file + "'", " --p 320" + in_folder}) {
    CAPTURE(options);
    const std::string why = output_of_cli("why transpose --n 2^12" + options);
    CHECK_THAT(why, says("AGPU(p=320, b=32, M=", "on My Card, n = 4,096"));
  }
  const std::string mine = " --n 2^12 --machine mycard" + in_folder;
  const auto compared = nlohmann::json::parse(run_cli("compare reduce scan --json" + mine).out);
  CHECK_THAT(compared.dump(), says("My Card"));
  CHECK(run_cli("sweep reduce" + mine).exit_code == 0);
  CHECK(run_cli("pipeline scan --n 10^9 --budget 3GB --machine mycard" + in_folder).exit_code == 0);

  // It holds less than an H200.
  const std::string tile = "why bitonic_sort --n 2^13 --set tile=4096";
  CHECK(run_cli(tile).exit_code == 0);
  check_refused(run_cli(tile + " --machine mycard" + in_folder), 2,
                "needs 17,408 bytes of shared memory, a multiprocessor of My Card has 16,384");

  check_refused(run_cli("why transpose --n 2^12 --machine mycart" + in_folder), 2, "mycard");
  check_refused(run_cli("why transpose --n 2^12 --machine mycard"), 2, "mycard");
  test::put(folder / "notes.json", "{}");
  CHECK(run_cli("why transpose" + mine).exit_code == 0);
  check_refused(run_cli("why transpose --n 2^12 --machine mycart" + in_folder), 3, "notes.json");
}

TEST_CASE("of two cards with the same numbers that is meant whose machine is named",
          "[cli][device]") {
  const test::TempFolder folder;
  for (const std::string name : {"a", "b"}) {
    DeviceFile device = card();
    device.name = "Card " + name;
    for (Machine& machine : device.machines) machine.name.replace(0, 6, name);
    test::put(folder / (name + ".json"), device_file_text(device));
  }
  for (const std::string name : {"a", "b"}) {
    const test::Finished why = run_cli("why transpose --n 2^12 --machine " + name + " --devices '" +
                                       folder.path().string() + "'");
    CAPTURE(why.err);
    CHECK_THAT(why.out, says("on Card " + name + ", n = 4,096"));
  }
}

TEST_CASE("a device file of before machines stands for the machines of its name", "[cli][device]") {
  DeviceFile old = card();
  old.machines.clear();
  const test::TempFolder folder;
  test::put(folder / "h200.json", device_file_text(old));
  const std::string in_folder = " --devices '" + folder.path().string() + "'";
  for (const char* const machine : {"h200", "h200-wide"}) {
    const test::Finished why =
        run_cli("why vector_add --n 2^12 --machine " + std::string(machine) + in_folder);
    CAPTURE(machine, why.err);
    CHECK_THAT(why.out, says("on My Card, n = 4,096"));
  }
  check_refused(run_cli("why vector_add --n 2^12 --machine p100" + in_folder), 2,
                "p100.json is not there");
}

}  // namespace
}  // namespace agpusim
