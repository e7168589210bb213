#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#include "agpusim/ptx/run/locator.hpp"

// What findings say of an access.
namespace agpusim::ptx {
namespace {

constexpr std::uint32_t window_shift = 44;
constexpr std::int64_t far = std::int64_t{1} << 32;  // bytes: no index of a program reaches so far

const char* verb(Touched touched) {
  return touched == Touched::read    ? "reads"
         : touched == Touched::write ? "writes"
                                     : "atomically updates";
}

/// Whether the process has memory there.
bool is_of_host(std::uint64_t address) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char is_in_core = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &is_in_core) == 0;
}

std::int64_t distance(std::uint64_t a, std::uint64_t b) {
  return std::abs(static_cast<std::int64_t>(a - b));
}

/// The pointer among a kernel's parameters, or the variable, that is closest to an address.
std::uint64_t closest_pointer(const LaunchPlan& plan, std::uint64_t address) {
  std::uint64_t closest = 0;
  const auto take = [&](std::uint64_t pointer) {
    if (distance(pointer, address) < distance(closest, address)) closest = pointer;
  };
  for (std::size_t i = 0; i + sizeof(closest) <= plan.parameters.size(); i += sizeof(closest)) {
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, &plan.parameters[i], sizeof(pointer));
    take(pointer);
  }
  for (const std::uint64_t variable : plan.symbols) take(variable);
  return closest;
}

}  // namespace

Locator::Target Locator::target_of(std::uint64_t address) const {
  const LaunchPlan& plan = cta_.plan;
  const std::uint64_t window = space_ == Space::reg ? address >> window_shift : 0;
  const auto offset = static_cast<std::int64_t>(address - (window << window_shift));
  if (space_ == Space::shared || window == shared_window >> window_shift) {
    return shared_target(static_cast<std::int32_t>(offset));
  }
  if (space_ == Space::param && (instruction_.flags & Access::call) != 0) {
    return {"a call's parameters", offset, plan.program.call_bytes};
  }
  if (space_ == Space::local || window == local_window >> window_shift) {
    return {"local memory", offset, plan.program.local_bytes};
  }
  if (space_ == Space::param || window == parameter_window >> window_shift) {
    return {"the kernel's parameters", offset, plan.parameters.size()};
  }
  constexpr std::int64_t gap = 512;  // behind an allocation nothing begins
  const auto end = [](const Allocation& one) { return static_cast<std::int64_t>(one.bytes); };
  const auto offset_in = [&](const Allocation& one) {
    return static_cast<std::int64_t>(address - one.begin);
  };
  const Allocation* found = plan.memory.find(address);
  if (found == nullptr) {
    found = plan.memory.nearest(address);
    const bool is_near = found != nullptr && offset_in(*found) >= -std::int64_t{request_.bytes} &&
                         offset_in(*found) < end(*found) + gap;
    if (!is_near) found = plan.memory.find(closest_pointer(plan, address));
  }
  if (found == nullptr) return {};
  return {found->name, offset_in(*found), found->bytes};
}

/// Beyond all arrays, the only one is meant.
Locator::Target Locator::shared_target(std::int64_t offset) const {
  const std::int64_t all = cta_.plan.shared_bytes;
  const std::vector<SharedArray>& arrays = cta_.program().shared_arrays;
  for (const SharedArray& array : arrays) {
    const std::int64_t bytes = array.bytes > 0 ? array.bytes : all - array.offset;
    const std::int64_t above = offset - array.offset;
    if (arrays.size() == 1 || (above >= 0 && above < bytes)) {
      return {array.name, above, static_cast<std::uint64_t>(bytes)};
    }
  }
  return {"shared memory", offset, static_cast<std::uint64_t>(all)};
}

Finding Locator::finding(Rule rule, std::uint32_t lane, std::uint64_t address,
                         std::string_view more) const {
  const Target target = target_of(address);
  std::string text = fmt::format("{} {} bytes at ", verb(touched_), request_.bytes);
  std::string remedy;
  if (!target.array.empty()) {
    text += fmt::format("offset {} of {} bytes of {}", target.offset, target.bytes, target.array);
    constexpr std::uint32_t most_element = 16;  // bytes
    if (request_.bytes <= most_element && target.offset % request_.bytes == 0) {
      text += fmt::format(" (element {})", target.offset / request_.bytes);
    }
  } else if (distance(address, 0) < far && !is_of_host(address)) {
    text += fmt::format("offset {} of a null pointer", static_cast<std::int64_t>(address));
    remedy = "look what gave this pointer: a call that failed, or none";
  } else {
    const std::uint64_t pointer = closest_pointer(cta_.plan, address);
    const bool is_pointer = distance(address, pointer) < far && is_of_host(pointer);
    text += is_pointer ? fmt::format("offset {} of a pointer to",
                                     static_cast<std::int64_t>(address - pointer))
                       : "an address in";
    text += is_pointer || is_of_host(address)
                ? " memory of the host (malloc, the stack or a variable)"
                : " no allocation";
    remedy = "a kernel can use what cudaMalloc, cudaMallocManaged or cudaMallocHost gave";
  }
  Finding result = worker_.finding(rule, warp_, instruction_, lane, text.append(more));
  result.array = target.array;
  result.remedy = remedy;
  return result;
}

}  // namespace agpusim::ptx
