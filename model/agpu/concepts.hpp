#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/registers.hpp"

// The two halves of a machine that kernels and host programs are written against. SimulatedMp and
// SimulatedDevice (agpu/) count; CudaMp and CudaDevice (cuda/) are plain device code.
namespace agpusim {

/// Memory inside a kernel: every lane reads or writes the element at its own 32-bit index, or two
/// or four neighbours from there on with one access. atomic_add, atomic_max and atomic_min are for
/// integers of 32 and 64 bits.
template <class V, class Mp>
concept View =
    requires(const V& view, typename Mp::template Lane<std::int32_t> index,
             typename Mp::template Lane<typename V::value_type> value,
             Registers<typename Mp::template Lane<typename V::value_type>, 2> neighbours) {
  { view.read(index) } -> std::same_as<typename Mp::template Lane<typename V::value_type>>;
  { view.write(index, value) } -> std::same_as<void>;
  { view.template read_wide<2>(index) } -> std::same_as<decltype(neighbours)>;
  { view.write_wide(index, neighbours) } -> std::same_as<void>;
  { view.atomic_add(index, value) } -> std::same_as<void>;
  { view.atomic_max(index, value) } -> std::same_as<void>;
  { view.atomic_min(index, value) } -> std::same_as<void>;
};

/// An array in the shared memory of a task: size() elements; fetch_add is atomic_add that returns
/// what was there before.
template <class V, class Mp>
concept ViewOfShared = View<V, Mp> &&
    requires(const V& view, typename Mp::template Lane<std::int32_t> index,
             typename Mp::template Lane<typename V::value_type> value) {
  { view.size() } -> std::same_as<std::int32_t>;
  {
    view.fetch_add(index, value)
    } -> std::same_as<typename Mp::template Lane<typename V::value_type>>;
};

/// An array in global memory: from(offset) is the same array seen from an element on, so that
/// 32-bit indices reach any element.
template <class V, class Mp>
concept ViewOfGlobal = View<V, Mp> && requires(const V& view, std::int64_t offset) {
  { view.from(offset) } -> std::same_as<V>;
};

/// What runs one task of a kernel. Lane<T> is a value per lane (varying); everything else is plain
/// C++ with one value per task (uniform).
template <class Mp>
concept Multiprocessor = requires(Mp& mp, const Mp& same,
                                  typename Mp::template Lane<std::int32_t> number,
                                  typename Mp::template Lane<bool> condition, void (*body)(),
                                  typename Mp::template Lane<bool> (*going)(), std::int32_t size,
                                  std::int64_t offset) {
  // 0, 1, ..., width() - 1; the lanes; the number of the task in its phase
  { same.lane() } -> std::same_as<typename Mp::template Lane<std::int32_t>>;
  { same.width() } -> std::same_as<std::int32_t>;
  { same.task() } -> std::same_as<std::int64_t>;
  // lanes of a warp; which of them a condition holds in, and the value that another one has
  { same.warp_width() } -> std::same_as<std::int32_t>;
  { same.vote(condition) } -> std::same_as<typename Mp::template Lane<std::uint32_t>>;
  { same.shuffle(number, number) } -> std::same_as<typename Mp::template Lane<std::int32_t>>;
  // lanes whose elements one pass over the banks serves
  { same.template lanes_per_pass<std::uint64_t>() } -> std::same_as<std::int32_t>;
  // turns of a loop that cost the same
  { same.turns().next(size, offset, offset) } -> std::same_as<std::int32_t>;
  // one value in all lanes, and the value on which the active lanes agree
  { same.varying(1.5) } -> std::same_as<typename Mp::template Lane<double>>;
  { same.uniform(number) } -> std::same_as<std::int32_t>;
  // for the lanes where the condition holds; for the others; while it holds in any
  { same.when(condition, body) } -> std::same_as<void>;
  { same.when(condition, body, body) } -> std::same_as<void>;
  { same.while_any(going, body) } -> std::same_as<void>;
  // orders the accesses of the lanes to shared memory
  { same.sync() } -> std::same_as<void>;
  // reserves elements of shared memory, undefined at first; the name serves messages
  { mp.template shared<std::uint32_t>(size) } -> ViewOfShared<Mp>;
  { mp.template shared<std::uint64_t>(size, "name") } -> ViewOfShared<Mp>;
};

namespace detail {

/// A kernel has a name and is called with a multiprocessor and its arguments.
struct AnyKernel {
  static constexpr const char* name = "any";
  template <class... Arguments>
  void operator()(Arguments&&...) const {}
};

}  // namespace detail

template <class Array, class D>
concept ArrayOf = std::is_same_v<Array, typename D::template Array<std::uint32_t>>;

/// What a host program runs on: arrays in global memory and launches, each a phase. An array
/// argument of a launch reaches the kernel as a view, anything else as it is.
template <class D>
concept Device = requires(D& device, const D& same, std::int64_t size, std::string name,
                          std::span<const std::uint32_t> values,
                          std::vector<std::uint32_t> (*make)(),
                          const typename D::template Array<std::uint32_t>& array) {
  { same.spec() } -> std::same_as<const AgpuSpec&>;
  { device.template allocate<std::uint32_t>(size, name) } -> ArrayOf<D>;
  { array.size() } -> std::same_as<std::int64_t>;
  { device.template upload<std::uint32_t>(array, values) } -> std::same_as<void>;
  { device.template upload<std::uint32_t>(array, make) } -> std::same_as<void>;
  { device.download(array) } -> std::same_as<std::vector<std::uint32_t>>;
  { device.launch(size, detail::AnyKernel{}, array, size) } -> std::same_as<void>;
};

}  // namespace agpusim
