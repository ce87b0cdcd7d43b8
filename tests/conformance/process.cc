#include "process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace portcullis::conformance {
namespace {

// An unnamed temporary file.
int TemporaryFile() {
  std::string name = std::filesystem::temp_directory_path() / "portcullis-case-XXXXXX";
  const int fd = mkstemp(name.data());
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

std::string Drain(int fd) {
  std::string out;
  char buffer[65536];
  lseek(fd, 0, SEEK_SET);
  for (ssize_t got = 0; (got = read(fd, buffer, sizeof buffer)) > 0;) {
    out.append(buffer, static_cast<std::size_t>(got));
  }
  close(fd);
  return out;
}

}  // namespace

Finished Execute(const std::vector<std::string>& command, const std::string& dir, double seconds) {
  Finished result;
  const int out = TemporaryFile();
  const int err = TemporaryFile();
  const pid_t child = fork();
  if (child == 0) {
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    std::vector<char*> argv;
    argv.reserve(command.size() + 1);
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    if (chdir(dir.c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
  }
  const auto limit = static_cast<long>(seconds * 1000);
  int status = 0;
  long waited = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (waited++ >= limit) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      result.why = "no end within " + std::to_string(seconds) + " seconds";
      break;
    }
    const timespec pause = {0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  if (WIFEXITED(status)) {
    result.exit = WEXITSTATUS(status);
  } else if (result.why.empty()) {
    result.why = "ended by signal " + std::to_string(WTERMSIG(status));
  }
  result.out = Drain(out);
  result.err = Drain(err);
  return result;
}

}  // namespace portcullis::conformance
