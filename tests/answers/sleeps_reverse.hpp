#include <unistd.h>
struct Reverse {
  static constexpr const char* name = "reverse";
  std::int64_t n;
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    ::sleep(40);
  }
};
