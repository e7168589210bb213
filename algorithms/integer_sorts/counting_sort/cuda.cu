#include <memory>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/library_program.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/sorter.cuh"
#include "agpusim/algorithms/integer_sorts/seed_hp_sorts/workspace.cuh"
#include "agpusim/cuda/registry.hpp"

namespace agpusim {
namespace counting_sort {
namespace {

/// Sorts, and again by `fallback`, where there is one, when the keys are not what `sorter` needs.
template <class Key>
void sort(SorterOf<Key>& sorter, SorterOf<Key>* fallback, const Key* keys, Key* out) {
  sorter.enqueue(keys, out);
  if (fallback != nullptr && !sorter.succeeded()) fallback->enqueue(keys, out);
}

/// The sort of the keys of a run, by the method that its variant names or, for "auto", by the one
/// that is predicted to be the fastest. A run whose keys turn out not to be what the method needs
/// is repeated by the radix sort; that it must look is part of what is timed.
class Program : public seed_hp_sorts::SortProgram {
 public:
  Program(const RunConfig& config, const DeviceConstant& constant)
      : SortProgram(config),
        problem_{n(), min(), range()},
        method_(config.variant.empty() || config.variant == "auto" ? Method::radix
                                                                   : parse_method(config.variant)) {
    workspace().allocate();
    if (n() == 0) return;
    if (config.variant.empty() || config.variant == "auto") {
      Probe found = probe(sample(x(), n()));
      found.differ = config.input == "distinct";
      method_ = choose(problem_, found, rates_of(constant)).method;
    }
    sorter_ = make_sorter(method_, problem_);
    if (may_fail()) fallback_ = make_sorter(Method::radix, problem_);
  }

  void run() override {
    if (n() == 0) return;
    sort(*sorter_, fallback_.get(), x(), y());
  }

 private:
  [[nodiscard]] bool may_fail() const {
    return method_ == Method::distinct || method_ == Method::few_values;
  }

  Problem problem_;
  Method method_;
  std::unique_ptr<Sorter> sorter_;
  std::unique_ptr<Sorter> fallback_;
};

/// Unsigned keys of 32 or 64 bits by few_values, and again by the radix sort where they are not
/// few; looking is part of what is timed.
template <class Key>
class FewValuesProgram : public LibraryProgram<Key, Key> {
 public:
  explicit FewValuesProgram(const RunConfig& config)
      : LibraryProgram<Key, Key>(generate<Key>(config.input, config.n, config.seed),
                                 static_cast<std::size_t>(config.n)),
        sorters_(make_sorters_of_any<Key>(config.n)) {}
  void run() override {
    if (this->size() == 0) return;
    sort(*sorters_.few_values, sorters_.radix.get(), this->in(), this->out());
  }
  std::uint64_t checksum() override { return agpusim::checksum(this->result()); }

 private:
  SortersOfAny<Key> sorters_;
};

}  // namespace
}  // namespace counting_sort

void register_cuda_counting_sort(CudaRegistry& registry) {
  registry.add(
      "counting_sort",
      [constant = registry.constant()](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
        return std::make_unique<counting_sort::Program>(config, constant);
      });
  registry.add("few_values_sort", [](const RunConfig& config) {
    return with_element_type(config.type, [&]<class Key>(Key) -> std::unique_ptr<CudaProgram> {
      return std::make_unique<counting_sort::FewValuesProgram<Key>>(config);
    });
  });
}

}  // namespace agpusim
