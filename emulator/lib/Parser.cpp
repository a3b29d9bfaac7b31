//===- Parser.cpp - PTX module structure ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "ParserBody.h"
#include <bit>

namespace ptxemu {

namespace {

class ModuleParser : BodyParser {
public:
  explicit ModuleParser(const std::vector<Token> &tokens) : BodyParser(tokens, module) {}

  ast::Module run() {
    while (peek().kind != Token::End)
      topLevel();
    if (module.versionMajor == 0)
      throw InputError(0, "the text has no .version directive: it is not PTX");
    return std::move(module);
  }

private:
  void topLevel() {
    if (accept(".version"))
      return version();
    if (accept(".target"))
      return target();
    if (accept(".address_size")) {
      module.addressSize = static_cast<unsigned>(integerExpression());
      if (module.addressSize != 64)
        fail("only .address_size 64 is supported");
      return;
    }
    if (accept(".file"))
      return file();
    if (accept(".section"))
      return skipBraces();
    if (accept(".alias")) {
      std::string alias = identifier("an alias");
      expect(",");
      module.aliases[alias] = identifier("a function");
      return expect(";");
    }
    if (peek().is(".loc") || peek().is(".pragma") || accept(";"))
      return skipDirective();
    declaration();
  }

  void version() {
    // "9.0" arrives as one floating-point token.
    std::string text(take().text);
    size_t dot = text.find('.');
    if (dot == std::string::npos)
      fail(".version needs MAJOR.MINOR");
    module.versionMajor = static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10));
    module.versionMinor = static_cast<unsigned>(std::strtoul(text.c_str() + dot + 1, nullptr, 10));
  }

  void target() {
    module.target = identifier("a target");
    while (accept(","))
      identifier("a target option");
  }

  void file() {
    unsigned index = static_cast<unsigned>(integerExpression());
    if (peek().kind != Token::String)
      fail(".file needs a name");
    module.files[index] = decodeString(take());
    while (accept(","))
      take();
  }

  void skipBraces() {
    while (!peek().is("{"))
      if (take().kind == Token::End)
        fail("section without a body");
    int depth = 0;
    do {
      const Token &t = take();
      if (t.kind == Token::End)
        fail("section is not closed");
      depth += t.is("{") ? 1 : t.is("}") ? -1 : 0;
    } while (depth);
  }

  void declaration() {
    bool isExtern = false;
    for (;; take()) {
      if (peek().is(".extern"))
        isExtern = true;
      else if (!peek().is(".visible") && !peek().is(".weak") && !peek().is(".common"))
        break;
    }
    if (accept(".entry"))
      return function(true);
    if (accept(".func"))
      return function(false);
    if (peek().kind != Token::Dotted)
      fail("expected a declaration before '" + std::string(peek().text) + "'");
    for (ast::Variable &v : variableDeclaration()) {
      v.isExtern = isExtern;
      module.variables.push_back(std::move(v));
    }
  }

  void function(bool isEntry) {
    ast::Function f;
    f.line = peek().line;
    f.isEntry = isEntry;
    f.scopes.emplace_back();
    if (!isEntry)
      accept(".noreturn");
    if (!isEntry && peek().is("("))
      f.results = parameterList();
    f.name = identifier("a function name");
    if (peek().is("("))
      f.parameters = parameterList();
    functionDirectives(f);
    if (!accept(";")) {
      f.hasBody = true;
      body(f);
    }
    auto [existing, isNew] = module.functionByName.try_emplace(f.name, static_cast<unsigned>(module.functions.size()));
    if (isNew)
      module.functions.push_back(std::move(f));
    else if (!f.hasBody)
      return;
    else if (module.functions[existing->second].hasBody)
      throw InputError(f.line, "function '" + f.name + "' is defined twice");
    else
      module.functions[existing->second] = std::move(f);
  }

  std::array<unsigned, 3> dimensions() {
    std::array<unsigned, 3> d{1, 1, 1};
    for (unsigned i = 0; i < 3; ++i) {
      d[i] = static_cast<unsigned>(integerExpression());
      if (i == 2 || !accept(","))
        break;
    }
    return d;
  }

  void functionDirectives(ast::Function &f) {
    while (peek().kind == Token::Dotted) {
      if (accept(".reqntid"))
        f.requiredThreads = dimensions();
      else if (accept(".maxntid"))
        f.maximumThreads = dimensions();
      else if (accept(".reqnctapercluster"))
        f.requiredCluster = dimensions();
      else if (accept(".explicitcluster"))
        f.explicitCluster = true;
      else if (accept(".maxclusterrank"))
        f.maximumClusterRank = static_cast<unsigned>(integerExpression());
      else if (accept(".minnctapersm"))
        f.minimumCtas = static_cast<unsigned>(integerExpression());
      else if (accept(".maxnreg"))
        f.maximumRegisters = static_cast<unsigned>(integerExpression());
      else if (accept(".maxnctapersm"))
        integerExpression();
      else if (accept(".blocksareclusters"))
        f.blocksAreClusters = true;
      else if (accept(".noreturn"))
        continue;
      else if (accept(".abi_preserve") || accept(".abi_preserve_control"))
        integerExpression();
      else if (peek().is(".pragma"))
        skipDirective();
      else if (accept(".attribute"))
        skipParentheses();
      else
        fail("unknown function directive '" + std::string(peek().text) + "'");
    }
  }

  ast::Module module;
};

} // namespace

ast::Module parseModule(std::string_view source) {
  std::vector<Token> tokens = tokenize(source);
  return ModuleParser(tokens).run();
}

std::string ast::Instruction::mnemonic() const {
  std::string text = opcode;
  for (const std::string &m : modifiers)
    text += m;
  return text;
}

} // namespace ptxemu
