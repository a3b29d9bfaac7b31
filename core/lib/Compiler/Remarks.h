//===- Remarks.h - Where remarks go -----------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_REMARKS_H
#define TILEIRAS_LIB_COMPILER_REMARKS_H

#include "tileiras/Compiler/Session.h"

namespace tileiras {

/// Lets remarks of `context` go where `settings` say; of filters that select none of the `known` ones it makes an
/// error. Those about hints of a kernel also go to `onHint` when it is set, wanted by the user or not. A format of
/// files is appended to `text`, completely once the context's engine is gone. `onEvery`, when it is set, is told of all
/// remarks in the order in which they are made.
llvm::Error enableRemarks(mlir::MLIRContext &context, const RemarkSettings &settings,
                          llvm::ArrayRef<DeclaredRemark> known, std::string &text,
                          std::function<void(const mlir::remark::detail::Remark &)> onHint,
                          std::function<void(const mlir::remark::detail::Remark &)> onEvery = nullptr);

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_REMARKS_H
