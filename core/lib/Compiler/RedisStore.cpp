//===- RedisStore.cpp - Results that a team shares ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiling is always possible, and takes less than a second. So nobody waits longer than that for a server, and one
// that has not answered is left alone for a while.
//
//===----------------------------------------------------------------------===//

#include "CacheStore.h"

#if TILEIRAS_HAS_REDIS
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <hiredis/hiredis.h>
#include <mutex>
#include <vector>

using namespace tileiras;
using llvm::StringRef;

namespace {

struct FreeContext {
  void operator()(redisContext *context) const { redisFree(context); }
};
struct FreeReply {
  void operator()(redisReply *reply) const { freeReplyObject(reply); }
};
using Connection = std::unique_ptr<redisContext, FreeContext>;
using Reply = std::unique_ptr<redisReply, FreeReply>;

struct RedisAddress {
  std::string host, socket, user, password, database;
  int port = 6379;
};

class RedisStore final : public CacheStore {
public:
  explicit RedisStore(RedisAddress address) : address(std::move(address)) {}

  std::optional<std::string> read(const std::string &key) override;
  void write(const std::string &key, StringRef bytes) override;
  void forget(const std::string &key) override;

private:
  using Clock = std::chrono::steady_clock;
  Reply ask(llvm::ArrayRef<StringRef> command);
  Connection connect() const;
  Connection takeConnection();
  void giveUp() { deadUntil = (Clock::now() + std::chrono::seconds(5)).time_since_epoch().count(); }
  bool isDead() const { return Clock::now().time_since_epoch().count() < deadUntil; }

  const RedisAddress address;
  std::atomic<Clock::rep> deadUntil = 0;
  std::mutex mutex; ///< of `idle`
  std::vector<Connection> idle;
};

/// A server that has gone makes a write raise SIGPIPE, which would end the process.
class WithoutBrokenPipes {
public:
  WithoutBrokenPipes() {
    sigset_t pending;
    sigpending(&pending);
    wasPending = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
  }
  ~WithoutBrokenPipes() {
    const timespec none = {};
    if (!wasPending)
      while (sigtimedwait(&pipe, nullptr, &none) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  bool wasPending;
  sigset_t pipe, before;
};

} // namespace

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

/// Of one connection; null when it is of no use any more.
static Reply exchange(redisContext *connection, llvm::ArrayRef<StringRef> command) {
  llvm::SmallVector<const char *> texts;
  llvm::SmallVector<size_t> sizes;
  for (StringRef word : command) {
    texts.push_back(word.data());
    sizes.push_back(word.size());
  }
  return Reply(static_cast<redisReply *>(
      redisCommandArgv(connection, static_cast<int>(texts.size()), texts.data(), sizes.data())));
}

Connection RedisStore::connect() const {
  constexpr timeval patience = {0, 250'000}, patienceForReply = {1, 0};
  Connection connection(address.socket.empty() ? redisConnectWithTimeout(address.host.c_str(), address.port, patience)
                                               : redisConnectUnixWithTimeout(address.socket.c_str(), patience));
  if (!connection || connection->err || redisSetTimeout(connection.get(), patienceForReply) != REDIS_OK)
    return nullptr;
  auto accepts = [&](llvm::ArrayRef<StringRef> command) {
    Reply reply = exchange(connection.get(), command);
    return reply && reply->type != REDIS_REPLY_ERROR;
  };
  llvm::SmallVector<StringRef> login = {"AUTH", address.user, address.password};
  if (address.user.empty())
    login.erase(login.begin() + 1);
  if (!address.password.empty() && !accepts(login))
    return nullptr;
  if (!address.database.empty() && !accepts({"SELECT", address.database}))
    return nullptr;
  return connection;
}

Connection RedisStore::takeConnection() {
  {
    std::lock_guard lock(mutex);
    if (!idle.empty()) {
      Connection taken = std::move(idle.back());
      idle.pop_back();
      return taken;
    }
  }
  return connect();
}

Reply RedisStore::ask(llvm::ArrayRef<StringRef> command) {
  if (isDead())
    return nullptr;
  const WithoutBrokenPipes guard;
  Connection connection = takeConnection();
  Reply reply = connection ? exchange(connection.get(), command) : nullptr;
  // A server that was started again has closed the connection, and takes a new one.
  if (connection && !reply && connection->err == REDIS_ERR_EOF)
    if ((connection = connect()))
      reply = exchange(connection.get(), command);
  if (!reply) {
    giveUp();
    return nullptr;
  }
  std::lock_guard lock(mutex);
  idle.push_back(std::move(connection));
  return reply;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static std::string getRedisKey(const std::string &key) {
  return "tileiras:" + key;
}

std::optional<std::string> RedisStore::read(const std::string &key) {
  const std::string name = getRedisKey(key);
  Reply reply = ask({"GET", name});
  if (!reply || reply->type != REDIS_REPLY_STRING)
    return std::nullopt;
  return std::string(reply->str, reply->len);
}

void RedisStore::write(const std::string &key, StringRef bytes) {
  constexpr size_t mostStored = 64 << 20; // bytes
  const std::string name = getRedisKey(key);
  const std::string month = std::to_string(30 * 24 * 3600); // seconds
  if (bytes.size() <= mostStored)
    ask({"SET", name, bytes, "EX", month});
}

void RedisStore::forget(const std::string &key) {
  const std::string name = getRedisKey(key);
  ask({"DEL", name});
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<CacheStore>> tileiras::openRedisStore(StringRef text) {
  RedisAddress address;
  StringRef rest = text;
  if (rest.consume_front("unix:")) {
    address.socket = rest.str();
    if (rest.empty())
      return llvm::createStringError("'" + text + "' names no socket: unix:/run/redis/redis.sock");
    return std::make_unique<RedisStore>(std::move(address));
  }
  rest.consume_front("redis://");
  StringRef login;
  if (rest.contains('@'))
    std::tie(login, rest) = rest.rsplit('@');
  auto [user, password] = login.contains(':') ? login.split(':') : std::pair(StringRef(), login);
  auto [server, database] = rest.split('/');
  auto [host, port] = server.rsplit(':');
  if (host.consume_front("["))
    host.consume_back("]");
  unsigned number = 0;
  const bool hasPort = server.contains(':') && !server.ends_with("]");
  if (!hasPort)
    host = server.trim("[]");
  if (host.empty() ||
      (hasPort && (port.getAsInteger(10, address.port) || address.port <= 0 || address.port > 0xffff)) ||
      (!database.empty() && database.getAsInteger(10, number)))
    return llvm::createStringError("'" + text + "' is no address of Redis: redis://host:6379 or redis://host:6379/2");
  address.host = host.str();
  address.user = user.str();
  address.password = password.str();
  address.database = database.str();
  return std::make_unique<RedisStore>(std::move(address));
}

#else

llvm::Expected<std::unique_ptr<tileiras::CacheStore>> tileiras::openRedisStore(llvm::StringRef address) {
  return llvm::createStringError("'" + address + "' cannot be used: this tileiras was built without hiredis");
}

#endif
