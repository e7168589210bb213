#include "agpusim/model/host_memory.hpp"

#include <cstdlib>

#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

using agpusim::memory_of_job_bytes;

TEST_CASE("a job has the least of its group and those above it, over its ranks", "[model]") {
  const agpusim::test::TempFolder root;
  const auto write = [&](const std::string& name, const std::string& content) {
    std::filesystem::create_directories((root / name).parent_path());
    agpusim::test::put(root / name, content);
  };
  const std::string v2 = "sys/fs/cgroup";
  write("proc/self/cgroup", "0::/slurm/job_7/step_0\n");
  write(v2 + "/slurm/job_7/step_0/memory.max", "max\n");
  CHECK(memory_of_job_bytes(root.path().string()) == std::numeric_limits<std::int64_t>::max());
  write(v2 + "/slurm/job_7/memory.max", "6000\n");
  write(v2 + "/slurm/memory.max", "9000\n");
  write(v2 + "/other/memory.max", "1\n");
  CHECK(memory_of_job_bytes(root.path().string()) == 6000);
  write(v2 + "/memory.max", "5000\n");  // a container has it there
  CHECK(memory_of_job_bytes(root.path().string()) == 5000);
  setenv("SLURM_STEP_TASKS_PER_NODE", "4", 1);
  CHECK(memory_of_job_bytes(root.path().string()) == 1250);
  unsetenv("SLURM_STEP_TASKS_PER_NODE");

  const std::string v1 = v2 + "/memory";
  write("proc/self/cgroup", "12:cpu,cpuacct:/cpu\n4:hugetlb,memory:/job\n1:name=systemd:/job\n");
  write(v1 + "/memory.limit_in_bytes", "9223372036854771712\n");
  write(v1 + "/cpu/memory.limit_in_bytes", "1\n");
  write(v1 + "/job/memory.limit_in_bytes", "4000\n");
  CHECK(memory_of_job_bytes(root.path().string()) == 4000);
}
