// The processes of a campaign. See <offgrid/fuzz/campaign.h>.
//
// Work comes in groups: a target, a shape, an input, and some schedules. Group g belongs to shard g % shards, and there
// to job g / shards % jobs, so that every group is tried once however many there are of either.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <set>
#include <stdexcept>

#include "campaign/campaign_folder.h"
#include "input/shape_generator.h"

namespace offgrid::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCourses = std::size_t{1} << 18;  // a set by hash: a few collisions make the count smaller
constexpr std::size_t kTokenBytes = 4096;

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// What the parent sees of its jobs, in memory that they share.
struct Board {
  std::atomic<std::uint64_t> schedules, shapes, courses;
  std::atomic<bool> stop;
  std::atomic<unsigned char> seen[kCourses];
};
/// And of each.
struct JobBoard {
  std::atomic<std::uint64_t> next_group;
  char running[kTokenBytes];  ///< the token of the run that goes on: what a crash was
};

template <class T>
T* shared_memory(std::size_t n = 1) {
  void* memory = mmap(nullptr, sizeof(T) * n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory is left for the campaign's processes");
  return static_cast<T*>(memory);
}

volatile std::sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

struct Job {
  const CampaignOptions& options;
  const CampaignFolder& folder;
  const std::vector<const Target*>& targets;
  Board& board;
  JobBoard& mine;
  std::string part;
  Clock::time_point deadline;
  std::set<std::string> known{};

  bool is_over(std::uint64_t group) const {
    return board.stop || (options.groups ? group >= options.groups : false) || Clock::now() >= deadline;
  }

  void note(const Trial& trial, const TrialResult& result) {
    board.schedules.fetch_add(1, std::memory_order_relaxed);
    const std::uint64_t course = mixed(result.course ^ mixed(std::hash<std::string>{}(trial.target->name)));
    if (!board.seen[course % kCourses].exchange(1, std::memory_order_relaxed)) board.courses.fetch_add(1);
    if (result.failed && known.insert(result.key).second)
      folder.add(part, {result.key, to_token(trial), result.headline});
  }

  void run_group(std::uint64_t group) {
    const std::uint64_t seed = mixed(options.seed ^ mixed(group));
    const Target& target = *targets[group % targets.size()];
    const auto shape = generate_shape(target, mixed(seed + 1));
    if (!shape) return;
    board.shapes.fetch_add(1, std::memory_order_relaxed);
    Search search{seed, 0};
    bool found = false;
    for (std::uint64_t n = 0; n < options.schedules_per_shape && !found && !is_over(group); ++n) {
      const Trial trial{&target, *shape, seed >> 32, search.schedule(n)};
      std::snprintf(mine.running, sizeof mine.running, "%s", to_token(trial).c_str());
      const TrialResult result = run_trial(trial);
      mine.running[0] = '\0';
      if (n == 0) search.steps = result.accesses;
      note(trial, result);
      found = result.failed;
    }
  }

  void run(unsigned index) {
    const std::uint64_t stride = std::uint64_t{options.shards} * options.jobs;
    std::uint64_t group = std::max(mine.next_group.load(), options.shard + std::uint64_t{options.shards} * index);
    auto saved = Clock::now();
    for (; !is_over(group); group += stride) {
      mine.next_group = group;
      run_group(group);
      if (Clock::now() - saved < std::chrono::seconds(1)) continue;
      folder.save_progress(part, group + stride);
      saved = Clock::now();
    }
    folder.save_progress(part, group);
  }
};

std::string part_name(const CampaignOptions& o, unsigned job) {
  return std::to_string(o.shard) + "of" + std::to_string(o.shards) + "." + std::to_string(job) + "of" +
         std::to_string(o.jobs);
}

pid_t start(Job& job, unsigned index) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  std::signal(SIGINT, SIG_IGN);  // the parent asks to stop
  try {
    job.run(index);
    _exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "offgrid fuzz: error: %s\n", error.what());
    _exit(2);
  }
}

/// The finding that a process's own end is.
StoredFinding crash_of(const JobBoard& board, int status) {
  const std::string token = board.running;
  const std::string target =
      token.substr(token.find(';') + 1, token.find_first_of("(;", token.find(';') + 1) - token.find(';') - 1);
  const std::string how = WIFSIGNALED(status) ? std::string("signal ") + strsignal(WTERMSIG(status))
                                              : "exit status " + std::to_string(WEXITSTATUS(status));
  return {target + ": crash by " + how, token, "the run ended its process: " + how};
}

void print_progress(const Board& board, Clock::time_point begin, const std::string& folder, bool last) {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::uint64_t schedules = board.schedules;
  std::fprintf(stderr, "\roffgrid fuzz: %.0f s, %llu shapes, %llu schedules (%.0f/s), %llu courses, %zu findings   %s",
               seconds, static_cast<unsigned long long>(board.shapes.load()),
               static_cast<unsigned long long>(schedules), static_cast<double>(schedules) / std::max(seconds, 1e-9),
               static_cast<unsigned long long>(board.courses.load()), read_findings(folder).size(), last ? "\n" : "");
}

}  // namespace

std::size_t run_campaign(const CampaignOptions& options) {
  const auto targets = Targets::instance().select(options.only);
  if (targets.empty()) throw std::runtime_error("no target matches '" + options.only + "'; `targets` lists them");
  const CampaignFolder folder(options);
  auto* board = shared_memory<Board>();
  auto* boards = shared_memory<JobBoard>(options.jobs);
  const auto begin = Clock::now();
  const auto deadline =
      begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
  std::set<std::string> known;
  for (const StoredFinding& finding : read_findings(options.folder)) known.insert(finding.key);

  std::vector<Job> jobs;
  std::vector<pid_t> processes;
  for (unsigned j = 0; j < options.jobs; ++j) {
    const std::string part = part_name(options, j);
    boards[j].next_group = folder.load_progress(part);
    jobs.push_back({options, folder, targets, *board, boards[j], part, deadline, known});
  }
  interrupted = 0;
  const auto old_handler = std::signal(SIGINT, interrupt), old_term = std::signal(SIGTERM, interrupt);
  for (unsigned j = 0; j < options.jobs; ++j) processes.push_back(start(jobs[j], j));
  const std::uint64_t stride = std::uint64_t{options.shards} * options.jobs;
  bool failed = false;
  auto shown = begin;
  for (std::size_t running = processes.size(); running > 0;) {
    if (interrupted) board->stop = true;
    for (unsigned j = 0; j < processes.size(); ++j) {
      int status = 0;
      if (processes[j] <= 0 || waitpid(processes[j], &status, WNOHANG) != processes[j]) continue;
      processes[j] = 0;
      --running;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
      if (boards[j].running[0] == '\0') {
        failed = true;
        continue;
      }
      const StoredFinding crash = crash_of(boards[j], status);
      if (jobs[j].known.insert(crash.key).second) folder.add(jobs[j].part, crash);
      boards[j].running[0] = '\0';
      boards[j].next_group = boards[j].next_group + stride;  // the others of its group are given up
      if (jobs[j].is_over(boards[j].next_group)) continue;
      processes[j] = start(jobs[j], j);
      ++running;
    }
    if (!options.quiet && Clock::now() - shown > std::chrono::seconds(1)) {
      print_progress(*board, begin, options.folder, false);
      shown = Clock::now();
    }
    usleep(20000);
  }
  if (!options.quiet) print_progress(*board, begin, options.folder, true);
  std::signal(SIGINT, old_handler);
  std::signal(SIGTERM, old_term);
  munmap(board, sizeof *board);
  munmap(boards, sizeof *boards * options.jobs);
  if (failed) throw std::runtime_error("a process of the campaign could not go on; what it found until then is kept");
  return read_findings(options.folder).size();
}

}  // namespace offgrid::fuzz
