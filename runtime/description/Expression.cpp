//===- Expression.cpp - Integers that a description computes --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <limits>

namespace tileiras {

static bool isNamePart(char c) {
  return llvm::isAlnum(c) || c == '_';
}

bool isValueName(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) && llvm::all_of(text, isNamePart);
}

namespace {

/// By recursive descent; the nesting of parentheses is limited.
class Evaluator {
public:
  Evaluator(llvm::StringRef text, llvm::function_ref<llvm::Expected<int64_t>(llvm::StringRef)> find)
      : rest(text), find(find) {}

  llvm::Expected<int64_t> run() {
    llvm::Expected<int64_t> value = sum();
    if (value && !rest.ltrim().empty())
      return fail("unexpected '" + rest.ltrim().take_front(1) + "'");
    return value;
  }

private:
  static constexpr unsigned kMostDepth = 50;

  static llvm::Error fail(const llvm::Twine &message) { return llvm::createStringError(message); }

  bool accept(char c) {
    rest = rest.ltrim();
    return rest.consume_front(llvm::StringRef(&c, 1));
  }

  /// The result of an operation; nothing where it does not fit.
  static llvm::Expected<int64_t> checked(std::optional<int64_t> result) {
    if (!result)
      return fail("the result does not fit into 64 bits");
    return *result;
  }

  llvm::Expected<int64_t> sum() {
    llvm::Expected<int64_t> value = product();
    while (value) {
      const bool isPlus = accept('+');
      if (!isPlus && !accept('-'))
        break;
      llvm::Expected<int64_t> next = product();
      if (!next)
        return next;
      value = checked(isPlus ? llvm::checkedAdd(*value, *next) : llvm::checkedSub(*value, *next));
    }
    return value;
  }

  llvm::Expected<int64_t> product() {
    llvm::Expected<int64_t> value = factor();
    while (value) {
      const char operation = accept('*') ? '*' : accept('/') ? '/' : accept('%') ? '%' : 0;
      if (!operation)
        break;
      llvm::Expected<int64_t> next = factor();
      if (!next)
        return next;
      if (operation == '*') {
        value = checked(llvm::checkedMul(*value, *next));
        continue;
      }
      if (*next == 0)
        return fail("division by zero");
      if (*next == -1) // the quotient of the smallest number does not fit
        value = checked(llvm::checkedSub(int64_t(0), operation == '/' ? *value : 0));
      else
        value = operation == '/' ? *value / *next : *value % *next;
    }
    return value;
  }

  llvm::Expected<int64_t> factor() {
    if (++depth > kMostDepth)
      return fail("it is nested too deeply");
    llvm::Expected<int64_t> value = atom();
    --depth;
    return value;
  }

  llvm::Expected<int64_t> atom() {
    if (accept('-')) {
      llvm::Expected<int64_t> value = factor();
      return value ? checked(llvm::checkedSub(int64_t(0), *value)) : std::move(value);
    }
    if (accept('(')) {
      llvm::Expected<int64_t> value = sum();
      if (value && !accept(')'))
        return fail("a ')' is missing");
      return value;
    }
    const llvm::StringRef word = rest.take_while(isNamePart);
    rest = rest.drop_front(word.size());
    if (word.empty())
      return fail(rest.empty() ? "it ends where a number or a name is expected"
                               : "a number or a name is expected before '" + rest.take_front(1) + "'");
    if (!llvm::isDigit(word.front()))
      return find(word);
    int64_t number = 0;
    if (word.getAsInteger(10, number))
      return fail("'" + word + "' is no whole number of 64 bits");
    return number;
  }

  llvm::StringRef rest;
  llvm::function_ref<llvm::Expected<int64_t>(llvm::StringRef)> find;
  unsigned depth = 0;
};

} // namespace

llvm::Expected<int64_t> evaluateExpression(llvm::StringRef text,
                                           llvm::function_ref<llvm::Expected<int64_t>(llvm::StringRef name)> find) {
  return Evaluator(text, find).run();
}

} // namespace tileiras
