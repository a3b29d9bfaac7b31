//===- Remarks.cpp - Where remarks go -------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "tileiras/Compiler/RemarkFilter.h"
#include "llvm/Remarks/RemarkSerializer.h"

using namespace tileiras;
using mlir::remark::detail::MLIRRemarkStreamerBase;
using mlir::remark::detail::Remark;

namespace {

/// Sends each remark to everyone who wants it.
class RemarkDistributor final : public MLIRRemarkStreamerBase {
public:
  using Receiver = std::function<void(const Remark &)>;

  /// Without a filter the user wants every remark.
  RemarkDistributor(std::optional<RemarkFilter> filter, Receiver user, Receiver onHint)
      : filter(std::move(filter)), user(std::move(user)), onHint(std::move(onHint)) {}

  void streamOptimizationRemark(const Remark &remark) override {
    if (onHint && remark.getCategoryName() == "hints")
      onHint(remark);
    if (user && (!filter || filter->accepts(remark.getRemarkTypeString(), remark.getCombinedCategoryName(),
                                            remark.getRemarkName())))
      user(remark);
  }

private:
  std::optional<RemarkFilter> filter;
  Receiver user, onHint;
};

/// Tells of each remark before a policy decides what becomes of it.
class TellingPolicy final : public mlir::remark::detail::RemarkEmittingPolicyBase {
public:
  TellingPolicy(std::unique_ptr<RemarkEmittingPolicyBase> policy, std::function<void(const Remark &)> tell)
      : policy(std::move(policy)), tell(std::move(tell)) {
    this->policy->initialize([this](const Remark &remark) { reportImpl(remark); });
  }

  void reportRemark(const Remark &remark) override {
    tell(remark);
    policy->reportRemark(remark);
  }
  void finalize() override { policy->finalize(); }

private:
  std::unique_ptr<RemarkEmittingPolicyBase> policy;
  std::function<void(const Remark &)> tell;
};

/// Converts remarks into LLVM's file formats.
class RemarkWriter {
public:
  static llvm::Expected<std::shared_ptr<RemarkWriter>> create(llvm::remarks::Format format, std::string &text) {
    auto writer = std::make_shared<RemarkWriter>(text);
    auto serializer = llvm::remarks::createRemarkSerializer(format, writer->stream);
    if (!serializer)
      return serializer.takeError();
    writer->serializer = std::move(*serializer);
    return writer;
  }
  explicit RemarkWriter(std::string &text) : stream(text) {}
  ~RemarkWriter() {
    if (serializer)
      serializer->finalize();
  }

  void write(const Remark &remark) { serializer->emit(remark.generateRemark()); }

private:
  llvm::raw_string_ostream stream;
  std::unique_ptr<llvm::remarks::RemarkSerializer> serializer;
};

} // namespace

/// A function that reports as the settings say; null when nothing is wanted.
static llvm::Expected<RemarkDistributor::Receiver> createReceiver(const RemarkSettings &settings, std::string &text) {
  if (settings.callback)
    return settings.callback;
  if (!settings.isEnabled())
    return RemarkDistributor::Receiver();
  if (settings.format == RemarkSettings::Diagnostics)
    return RemarkDistributor::Receiver(
        [](const Remark &remark) { mlir::emitRemark(remark.getLocation(), remark.getMsg()); });
  auto format =
      settings.format == RemarkSettings::Yaml ? llvm::remarks::Format::YAML : llvm::remarks::Format::Bitstream;
  llvm::Expected<std::shared_ptr<RemarkWriter>> writer = RemarkWriter::create(format, text);
  if (!writer)
    return CompileError::wrap(ExitCode::Internal, writer.takeError());
  return RemarkDistributor::Receiver([writer = *writer](const Remark &remark) { writer->write(remark); });
}

llvm::Error tileiras::enableRemarks(mlir::MLIRContext &context, const RemarkSettings &settings,
                                    llvm::ArrayRef<DeclaredRemark> known, std::string &text,
                                    std::function<void(const Remark &)> onHint,
                                    std::function<void(const Remark &)> onEvery) {
  if (!settings.isEnabled() && !onHint && !onEvery)
    return llvm::Error::success();
  std::optional<RemarkFilter> filter;
  if (!settings.callback) {
    llvm::Expected<RemarkFilter> created = RemarkFilter::create(settings.filters, known);
    if (!created)
      return created.takeError();
    filter = std::move(*created);
  }
  llvm::Expected<RemarkDistributor::Receiver> user = createReceiver(settings, text);
  if (!user)
    return user.takeError();

  std::unique_ptr<mlir::remark::detail::RemarkEmittingPolicyBase> policy;
  if (settings.finalOnly)
    policy = std::make_unique<mlir::remark::RemarkEmittingPolicyFinal>();
  else
    policy = std::make_unique<mlir::remark::RemarkEmittingPolicyAll>();
  if (onEvery)
    policy = std::make_unique<TellingPolicy>(std::move(policy), std::move(onEvery));
  mlir::remark::RemarkCategories everything;
  // MLIR's engine asks for each kind by itself; `all` only widens the others.
  everything.passed = everything.missed = everything.analysis = everything.failed = ".*";
  auto distributor = std::make_unique<RemarkDistributor>(std::move(filter), std::move(*user), std::move(onHint));
  if (failed(mlir::remark::enableOptimizationRemarks(context, std::move(distributor), std::move(policy), everything)))
    return llvm::make_error<CompileError>(ExitCode::Internal, "error: remarks cannot be enabled");
  return llvm::Error::success();
}
