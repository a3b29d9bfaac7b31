//===- NvJitLinkAssembler.cpp - nvJitLink in this process ------------------- ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assemblers.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/DynamicLibrary.h"
#include <mutex>

namespace tileiras {
namespace {

/// The part of nvJitLink's C interface that is used here. Its names carry no version, so any release fits.
struct NvJitLinkApi {
  using Handle = void *;
  enum { Success = 0, InputPtx = 2 };

  int (*create)(Handle *, uint32_t numOptions, const char **options) = nullptr;
  int (*destroy)(Handle *) = nullptr;
  int (*addData)(Handle, int inputType, const void *data, size_t size, const char *name) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*getCubinSize)(Handle, size_t *) = nullptr;
  int (*getCubin)(Handle, void *) = nullptr;
  int (*getErrorLogSize)(Handle, size_t *) = nullptr;
  int (*getErrorLog)(Handle, char *) = nullptr;
  int (*getInfoLogSize)(Handle, size_t *) = nullptr;
  int (*getInfoLog)(Handle, char *) = nullptr;
  int (*version)(unsigned *major, unsigned *minor) = nullptr;

  static llvm::Expected<NvJitLinkApi> load(const std::string &path) {
    std::string message;
    llvm::sys::DynamicLibrary library = llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &message);
    if (!library.isValid())
      return llvm::createStringError("cannot load nvJitLink: " + message);
    NvJitLinkApi api;
    llvm::Error error = llvm::Error::success();
    auto bind = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.getAddressOfSymbol(name));
      if (!function && !error)
        error = llvm::createStringError("'" + path + "' has no function " + name + "; install a newer CUDA toolkit");
    };
    bind(api.create, "nvJitLinkCreate");
    bind(api.destroy, "nvJitLinkDestroy");
    bind(api.addData, "nvJitLinkAddData");
    bind(api.complete, "nvJitLinkComplete");
    bind(api.getCubinSize, "nvJitLinkGetLinkedCubinSize");
    bind(api.getCubin, "nvJitLinkGetLinkedCubin");
    bind(api.getErrorLogSize, "nvJitLinkGetErrorLogSize");
    bind(api.getErrorLog, "nvJitLinkGetErrorLog");
    bind(api.getInfoLogSize, "nvJitLinkGetInfoLogSize");
    bind(api.getInfoLog, "nvJitLinkGetInfoLog");
    bind(api.version, "nvJitLinkVersion");
    if (error)
      return error;
    return api;
  }
};

class NvJitLinkAssembler final : public Assembler {
public:
  explicit NvJitLinkAssembler(NvJitLinkApi api) : api(api) {}

  llvm::StringRef getName() const override { return "nvjitlink"; }

  llvm::Expected<std::string> getVersion() const override {
    unsigned major = 0, minor = 0;
    if (api.version(&major, &minor) != NvJitLinkApi::Success)
      return llvm::createStringError("nvJitLink does not say its version");
    return std::to_string(major) + "." + std::to_string(minor);
  }

  llvm::Expected<Assembly> assemble(llvm::StringRef ptx, const AssemblerOptions &options) const override {
    std::vector<std::string> texts = getOptions(options);
    std::vector<const char *> pointers;
    for (const std::string &text : texts)
      pointers.push_back(text.c_str());
    NvJitLinkApi::Handle handle = nullptr;
    if (int code = api.create(&handle, pointers.size(), pointers.data()))
      return llvm::createStringError("nvJitLink does not take the options (code " + std::to_string(code) + ")");
    llvm::scope_exit release([&] { api.destroy(&handle); });

    int code = api.addData(handle, NvJitLinkApi::InputPtx, ptx.data(), ptx.size(), "kernel.ptx");
    if (code == NvJitLinkApi::Success)
      code = api.complete(handle);
    if (code != NvJitLinkApi::Success)
      return llvm::createStringError("nvJitLink rejected the generated PTX (code " + std::to_string(code) + "):\n" +
                                     getLog(handle, api.getErrorLogSize, api.getErrorLog));
    Assembly assembly;
    size_t size = 0;
    if (api.getCubinSize(handle, &size) != NvJitLinkApi::Success)
      return llvm::createStringError("nvJitLink made no cubin");
    assembly.cubin.resize(size);
    if (api.getCubin(handle, assembly.cubin.data()) != NvJitLinkApi::Success)
      return llvm::createStringError("nvJitLink made no cubin");
    parseAssemblerReport(getLog(handle, api.getInfoLogSize, api.getInfoLog), assembly);
    return assembly;
  }

private:
  static std::string getLog(NvJitLinkApi::Handle handle, int (*getSize)(NvJitLinkApi::Handle, size_t *),
                            int (*get)(NvJitLinkApi::Handle, char *)) {
    size_t size = 0;
    if (getSize(handle, &size) != NvJitLinkApi::Success || size == 0)
      return {};
    std::string log(size, '\0');
    if (get(handle, log.data()) != NvJitLinkApi::Success)
      return {};
    return log.c_str(); // Without what follows the terminator.
  }

  static std::vector<std::string> getOptions(const AssemblerOptions &options) {
    std::vector<std::string> texts = {"-arch=" + options.arch, "-verbose",
                                      "-O" + std::to_string(options.deviceDebug ? 0 : options.optLevel)};
    if (options.deviceDebug)
      texts.push_back("-g");
    else if (options.lineInfo)
      texts.push_back("-lineinfo");
    if (options.sanitizeMemcheck)
      texts.push_back("-Xptxas=--sanitize=memcheck");
    for (const std::string &extra : options.extraOptions)
      texts.push_back("-Xptxas=" + extra);
    return texts;
  }

  NvJitLinkApi api;
};

} // namespace

llvm::Expected<std::unique_ptr<Assembler>> createNvJitLinkAssembler(const CudaToolkit &toolkit) {
  llvm::Expected<std::string> path = toolkit.findNvJitLink();
  if (!path)
    return path.takeError();
  llvm::Expected<NvJitLinkApi> api = NvJitLinkApi::load(*path);
  if (!api)
    return api.takeError();
  return std::make_unique<NvJitLinkAssembler>(*api);
}

} // namespace tileiras
