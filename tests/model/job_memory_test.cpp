#include "agpusim/model/job_memory.hpp"

#include <cstdlib>
#include <limits>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim {
namespace {

/// /proc and /sys of a process in these groups.
class FakeHost {
 public:
  explicit FakeHost(const std::string& groups) { put("proc/self/cgroup", groups); }
  void put(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories((folder_ / path).parent_path());
    test::put(folder_ / path, content);
  }
  [[nodiscard]] std::int64_t memory() const { return memory_of_job_bytes(folder_.path().string()); }

 private:
  test::TempFolder folder_;
};

}  // namespace

TEST_CASE("a job's memory is the least of its group and those above it", "[model]") {
  const FakeHost host("0::/slurm/job_7/step_0\n");
  CHECK(host.memory() == std::numeric_limits<std::int64_t>::max());
  host.put("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
  host.put("sys/fs/cgroup/slurm/job_7/memory.max", "6000\n");
  host.put("sys/fs/cgroup/slurm/memory.max", "9000\n");
  host.put("sys/fs/cgroup/other/memory.max", "1\n");
  CHECK(host.memory() == 6000);
  host.put("sys/fs/cgroup/memory.max", "5000\n");  // of a container
  CHECK(host.memory() == 5000);
}

TEST_CASE("the first version of control groups limits memory, too", "[model]") {
  const FakeHost host("12:cpu,cpuacct:/cpu\n4:hugetlb,memory:/job\n1:name=systemd:/job\n");
  host.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  host.put("sys/fs/cgroup/memory/cpu/memory.limit_in_bytes", "1\n");
  host.put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "7000\n");
  CHECK(host.memory() == 7000);
}

TEST_CASE("ranks of a node share the memory of their job", "[model]") {
  const FakeHost host("0::/job\n");
  host.put("sys/fs/cgroup/job/memory.max", "8000\n");
  for (const char* const name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"}) {
    CAPTURE(name);
    setenv(name, "4", 1);
    CHECK(host.memory() == 2000);
    unsetenv(name);
  }
}

}  // namespace agpusim
