// printf of a kernel prints what that of the host does.

#include "agpusim/ptx/run/device.hpp"
#include "agpusim/tests/ptx/fixtures.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {

TEST_CASE("PTX: printf has widths, precisions and lengths, also as arguments", "[ptx]") {
  const auto module =
      std::make_shared<const Module>(Module::parse(fixture("print_formats"), "print"));
  Device device(AgpuSpec{});
  const LaunchReport report = device.launch({Program::compile(module, "print_formats"), {}, {}});
  CHECK(report.findings.empty());
  CHECK(report.output ==
        "[    42]\n[42    ] 7\n"
        "[      ab] [cd  ] [ef]\n"
        "[    3.14] 7 [+1.235e+04] [0.5]\n"
        "[4464] [255] [2345] [-5] [6]\n"
        "[    x] [y] [0xff] [00042] [ 3] %\n"
        "[1    ]\n");
}

}  // namespace agpusim::ptx
