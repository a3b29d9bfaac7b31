//===- Program.cpp - Programs that tileiras-cutile runs -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <poll.h>
#include <regex>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace tileiras::cutile {

int become(const std::vector<std::string> &command) {
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  int error = errno;
  std::cerr << "tileiras-cutile: " << command[0] << ": " << strerror(error) << "\n";
  return error == ENOENT ? 127 : 126;
}

/// What comes from both ends until both are closed.
static void readBoth(int output, int errors, ProgramResult &result) {
  pollfd ends[2] = {{output, POLLIN, 0}, {errors, POLLIN, 0}};
  std::string *texts[2] = {&result.output, &result.errors};
  char buffer[4096];
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends, 2, -1) < 0) {
      if (errno == EINTR)
        continue;
      result.errors += std::string("cannot wait for it: ") + strerror(errno);
      return;
    }
    for (int i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || !ends[i].revents)
        continue;
      ssize_t count = read(ends[i].fd, buffer, sizeof(buffer));
      if (count > 0)
        texts[i]->append(buffer, static_cast<size_t>(count));
      else if (count == 0 || errno != EINTR)
        ends[i].fd = -1;
    }
  }
}

ProgramResult runProgram(const std::vector<std::string> &command, const std::function<void()> &prepare) {
  ProgramResult result;
  int output[2] = {-1, -1}, errors[2] = {-1, -1};
  const bool hasPipes = pipe(output) == 0 && pipe(errors) == 0;
  pid_t child = hasPipes ? fork() : -1;
  if (child < 0) {
    result.errors = strerror(errno);
    for (int end : {output[0], output[1], errors[0], errors[1]})
      if (end >= 0)
        close(end);
    return result;
  }
  if (child == 0) {
    if (dup2(output[1], STDOUT_FILENO) < 0 || dup2(errors[1], STDERR_FILENO) < 0)
      _exit(126);
    for (int end : {output[0], output[1], errors[0], errors[1]})
      close(end);
    if (prepare)
      prepare();
    _exit(become(command));
  }
  close(output[1]);
  close(errors[1]);
  readBoth(output[0], errors[0], result);
  close(output[0]);
  close(errors[0]);
  int status = 0;
  pid_t ended = -1;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
    ;
  if (ended == child && WIFEXITED(status))
    result.exitCode = WEXITSTATUS(status);
  return result;
}

std::optional<std::string> findProgram(const std::string &command) {
  auto isProgram = [](const std::string &path) {
    return access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
  };
  if (command.find('/') != std::string::npos)
    return isProgram(command) ? std::optional(command) : std::nullopt;
  const char *path = getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string file = (folder.empty() ? "." : folder) + "/" + command; isProgram(file))
      return file;
  return std::nullopt;
}

static bool isPython(const std::string &program) {
  static const std::regex pattern("(python|pypy)[0-9.]*(-[a-z]+)?");
  return std::regex_match(std::filesystem::path(program).filename().string(), pattern);
}

/// "python3 -I script.py x" without script and what is behind it.
static std::vector<std::string> interpreterOptions(const std::vector<std::string> &words) {
  std::vector<std::string> result = {words[0]};
  for (size_t i = 1; i < words.size() && words[i].size() > 1 && words[i][0] == '-'; ++i) {
    // What follows a -c or -m, alone or behind other letters, is the program.
    if (words[i][1] != '-' && words[i].find_first_of("cm") != std::string::npos && words[i][1] != 'X' &&
        words[i][1] != 'W')
      break;
    result.push_back(words[i]);
    if ((words[i] == "-X" || words[i] == "-W") && i + 1 < words.size())
      result.push_back(words[++i]);
  }
  return result;
}

std::vector<std::string> pythonOf(const std::vector<std::string> &command) {
  if (isPython(command[0]))
    return interpreterOptions(command);
  std::ifstream script(findProgram(command[0]).value_or(""), std::ios::binary);
  std::string line(2, ' ');
  if (!script.read(line.data(), 2) || line != "#!" || !std::getline(script, line))
    return {};
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    // "/usr/bin/env -S python3 -I"
    if (!words.empty() || (std::filesystem::path(word).filename() != "env" && word != "-S"))
      words.push_back(word);
  return !words.empty() && isPython(words[0]) ? interpreterOptions(words) : std::vector<std::string>();
}

} // namespace tileiras::cutile
