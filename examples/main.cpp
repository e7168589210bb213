// Five kernels of other fields, as a user of agpusim writes them.
#include "agpusim/examples/gelu.hpp"
#include "agpusim/examples/k_means.hpp"
#include "agpusim/examples/layer_norm.hpp"
#include "agpusim/examples/n_body.hpp"
#include "agpusim/examples/softmax.hpp"

int main(int argc, char** argv) {
  using namespace examples;
  return agpusim::main(argc, argv, {gelu(), softmax(), layer_norm(), n_body(), k_means()});
}
