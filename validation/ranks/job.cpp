#include "agpusim/validation/ranks/job.hpp"

#include "agpusim/model/error.hpp"

#ifdef AGPUSIM_WITH_MPI

#include <chrono>
#include <cstdlib>
#include <exception>
#include <list>
#include <mpi.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace agpusim::ranks {
namespace {

using namespace std::chrono_literals;

constexpr const char* end_together = "together";
constexpr const char* end_alone = "alone";

/// MPI_Finalize waits for ever where a rank has just died.
void finalize_or_exit(int exit_code) {
  std::thread([exit_code] {
    std::this_thread::sleep_for(10s);
    _exit(exit_code);
  }).detach();
  MPI_Finalize();
}

}  // namespace

class Job::Mpi {
 public:
  Mpi() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }

  // NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): tested instead, since a text to
  // or from a dead rank is never complete
  void send(int to, Note note, std::string text) {
    std::erase_if(outgoing_, [](Transfer& sent) { return sent.is_complete(); });
    Transfer& sent = outgoing_.emplace_back();
    sent.text = std::move(text);
    MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_BYTE, to,
              static_cast<int>(note), MPI_COMM_WORLD, &sent.request);
  }

  std::optional<Message> receive() {
    MPI_Status status;
    int found = 0;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status) ==
               MPI_SUCCESS &&
           found != 0) {
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      Transfer& coming = incoming_.emplace_back();
      coming.from = status.MPI_SOURCE;
      coming.note = static_cast<Note>(status.MPI_TAG);
      coming.text.resize(static_cast<std::size_t>(bytes));
      MPI_Irecv(coming.text.data(), bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
                MPI_COMM_WORLD, &coming.request);
    }
    for (auto it = incoming_.begin(); it != incoming_.end(); ++it) {
      if (!it->is_complete()) continue;
      Message message{static_cast<std::size_t>(it->from), it->note, std::move(it->text)};
      incoming_.erase(it);
      return message;
    }
    return std::nullopt;
  }

  // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

  /// Gives what was sent a second to arrive; to a rank that is dead it never does.
  void flush() {
    const auto until = std::chrono::steady_clock::now() + 1s;
    while (!outgoing_.empty() && std::chrono::steady_clock::now() < until) {
      std::erase_if(outgoing_, [](Transfer& sent) { return sent.is_complete(); });
      std::this_thread::sleep_for(1ms);
    }
  }

  int rank = 0;
  int size = 1;
  bool incomplete = false;

 private:
  /// A text on its way. Of a rank that died its memory is MPI's until the process ends.
  struct Transfer {
    int from = 0;
    Note note = Note::alive;
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;

    bool is_complete() {
      int complete = 0;
      return MPI_Test(&request, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && complete != 0;
    }
  };

  std::list<Transfer> outgoing_;
  std::list<Transfer> incoming_;
};

Job::Job() : mpi_(std::make_unique<Mpi>()) {}

Job::~Job() {
  if (mpi_->rank != 0) return;
  for (std::size_t to = 1; to < size(); ++to) {
    send(to, Note::end, mpi_->incomplete ? end_alone : end_together);
  }
  mpi_->flush();
  if (mpi_->incomplete) {
    static_cast<void>(mpi_.release());  // nobody else has ended what is on its way
  } else {
    finalize_or_exit(std::uncaught_exceptions() > 0 ? EXIT_FAILURE : EXIT_SUCCESS);
  }
}

std::size_t Job::rank() const { return static_cast<std::size_t>(mpi_->rank); }
std::size_t Job::size() const { return static_cast<std::size_t>(mpi_->size); }

void Job::send(std::size_t to, Note note, std::string text) {
  mpi_->send(static_cast<int>(to), note, std::move(text));
}

std::optional<Job::Message> Job::receive() { return mpi_->receive(); }

void Job::set_incomplete(bool incomplete) { mpi_->incomplete = incomplete; }

void Job::leave(const std::string& how) {
  if (how == end_together) finalize_or_exit(EXIT_SUCCESS);
  _exit(EXIT_SUCCESS);
}

}  // namespace agpusim::ranks

#else

namespace agpusim::ranks {

class Job::Mpi {};

Job::Job() {
  throw Unavailable(
      "--mpi: this agpusim was built without MPI: install Open MPI (on Debian or Ubuntu: apt-get "
      "install libopenmpi-dev) and rebuild (a sweep can also count a part in each process: "
      "--shard)");
}
Job::~Job() = default;
std::size_t Job::rank() const { return 0; }
std::size_t Job::size() const { return 1; }
void Job::send(std::size_t /*to*/, Note /*note*/, std::string /*text*/) {}
std::optional<Job::Message> Job::receive() { return std::nullopt; }
void Job::set_incomplete(bool /*incomplete*/) {}
void Job::leave(const std::string& /*how*/) { std::abort(); }

}  // namespace agpusim::ranks

#endif
