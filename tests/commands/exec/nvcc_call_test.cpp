#include "agpusim/commands/exec/nvcc_call.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/ranges.h>

#include "agpusim/commands/exec/program_file.hpp"
#include "agpusim/commands/exec/toolkit_view.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::exec {

TEST_CASE("each way to name an old architecture or a static runtime is left out", "[exec]") {
  using Words = std::vector<std::string>;
  const std::string ours = build_flags;
  const std::string one = "-arch=sm_90 -lineinfo";
  for (const auto& [given, left, flags] : std::vector<std::tuple<Words, std::string, std::string>>{
           {{"-O2", "-arch=sm_35", "-o", "a", "a.cu"}, "-O2 -o a a.cu", ours},
           {{"-arch", "sm_60", "-code", "sm_60", "a.cu"}, "a.cu", ours},
           {{"-gencode", "arch=compute_20,code=sm_20", "a.cu"}, "a.cu", ours},
           {{"-gencode=arch=compute_35,code=\"sm_35,compute_35\"", "a.cu"}, "a.cu", ours},
           {{"--generate-code=arch=compute_52,code=[compute_52,sm_52]", "a.cu"}, "a.cu", ours},
           {{"--gpu-architecture=native", "--gpu-code=sm_70", "a.cu"}, "a.cu", ours},
           {{"-cudart", "static", "a.o", "-lcudart_static", "-o", "a"}, "a.o -lcudart -o a", ours},
           {{"--cudart=static", "/opt/cuda/lib64/libcudart_static.a", "a.o"}, "-lcudart a.o", ours},
           {{"-std=c++11", "-Werror", "all-warnings", "a.cu"}, "-std=c++17 a.cu", ours},
           {{"--std", "c++14", "a.cu"}, "-std=c++17 a.cu", ours},
           {{"-std=c++23", "-Xcompiler", "-O2,-Werror=undef,-g", "-Xcompiler=-Werror", "a.cu"},
            "-std=c++20 -Xcompiler -O2,-Wall,-g -Xcompiler=-Wall a.cu",
            ours},
           {{"-std=c++20", "-G", "-g", "a.cu"}, "-std=c++20 -G -g a.cu", ours},
           {{"-ptx", "-arch=sm_75", "a.cu"}, "-ptx a.cu", one},
           {{"-architecture-of-mine", "-Xcompiler", "-Wall", "a.cu"},
            "-architecture-of-mine -Xcompiler -Wall a.cu",
            ours}}) {
    CHECK(fmt::format("{}", fmt::join(nvcc_arguments(given, ""), " ")) == left + " " + flags);
  }
  const auto compiled = nvcc_arguments({"-c", "a.cu"}, "/names");
  CHECK(fmt::format("{}", fmt::join(compiled, " ")) == "-c a.cu -include /names " + ours);
  CHECK(nvcc_arguments({"a.o"}, "/names").size() == nvcc_arguments({"a.o"}, "").size());
}

TEST_CASE("what stops a build is told with its remedy", "[exec]") {
  for (const auto& [error, advice] : std::vector<std::pair<std::string, std::string>>{
           {"a.cu(3): error: texture<float> is not a template", "texture objects"},
           {"fatal error: helper_cuda.h: No such file or directory", "cuda-samples/Common"},
           {"#error -- unsupported GNU version! gcc versions later than", "-ccbin"},
           {"fatal error: cublas_v2.h: No such file or directory", "package of that library"},
           {"/usr/bin/ld: cannot find -lcufft", "package"},
           {"make: *** No rule to make target 'x.cu'", "submodules"}}) {
    CHECK_THAT(advice_for(error).value_or(""), Catch::Matchers::ContainsSubstring(advice));
  }
  CHECK_FALSE(advice_for("a.cu(3): error: expected a ;"));
}

TEST_CASE("a view of a toolkit has its own nvcc and the shared runtime under both names",
          "[exec]") {
  namespace fs = std::filesystem;
  const test::TempFolder folder;
  const fs::path toolkit = fs::path(folder.file("cuda"));
  for (const char* const below : {"bin", "lib64", "include"})
    fs::create_directories(toolkit / below);
  for (const char* const file : {"bin/nvcc", "bin/ptxas", "lib64/libcudart.so",
                                 "lib64/libcudart_static.a", "include/cuda.h"}) {
    test::put(toolkit / file, "real");
    fs::permissions(toolkit / file, fs::perms::owner_all);
  }
  setenv("XDG_CACHE_HOME", folder.file("cache").c_str(), 1);
  for (int i = 0; i < 2; ++i) {  // the second finds what the first has made
    const ToolkitView view = toolkit_view(toolkit / "bin/nvcc", "/opt/agpusim");
    CHECK(view.toolkit == toolkit);
    CHECK_THAT(test::content(view.root / "bin/nvcc"),
               Catch::Matchers::ContainsSubstring("'/opt/agpusim' build --nvcc"));
    CHECK(test::content(view.root / "bin/ptxas") == "real");
    CHECK(test::content(view.root / "include/cuda.h") == "real");
    CHECK(test::content(view.root / "lib64/libcudart_static.a") ==
          fmt::format("INPUT({}/lib64/libcudart.so)\n", toolkit.string()));
    for (const char* const name :
         {"cudaThreadSynchronize", "cudaGetDeviceProperties_v2", "struct unary_function"}) {
      CHECK_THAT(test::content(names_header(view.root)), Catch::Matchers::ContainsSubstring(name));
    }
  }
  CHECK(test::content(toolkit / "bin/nvcc") == "real");
  unsetenv("XDG_CACHE_HOME");
}

TEST_CASE("a view of Debian's toolkit has none of the other programs of the system", "[exec]") {
  namespace fs = std::filesystem;
  const test::TempFolder folder;
  const fs::path system = fs::path(folder.file("usr"));
  const fs::path runtime = system / "lib/x86_64-linux-gnu/libcudart.so";
  for (const fs::path& file : {system / "bin/nvcc", system / "bin/python3", runtime}) {
    fs::create_directories(file.parent_path());
    test::put(file, "real");
  }
  setenv("XDG_CACHE_HOME", folder.file("cache").c_str(), 1);
  const ToolkitView view = toolkit_view(system / "bin/nvcc", "/opt/agpusim");
  CHECK(view.runtime == runtime);
  CHECK(test::content(view.root / "lib64/libcudart_static.a") ==
        fmt::format("INPUT({})\n", runtime.string()));
  CHECK_FALSE(fs::exists(view.root / "bin/python3"));
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace agpusim::exec
