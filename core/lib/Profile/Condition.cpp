//===- Condition.cpp - When a pass of a profile runs ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Condition.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tileiras;

struct Condition::Node {
  enum Kind { Or, And, Not, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual } kind;
  std::shared_ptr<const Node> left, right; ///< Or, And, Not (left only)
  std::string option = {};                 ///< comparisons: its name
  OptionValue literal = false;
};

using Node = Condition::Node;
using NodeRef = std::shared_ptr<const Node>;

namespace {

/// A recursive-descent parser. The first mistake is kept and ends the parse.
class ConditionParser {
public:
  ConditionParser(llvm::StringRef text, const Origin &origin, const OptionTable &table)
      : text(text), rest(text), origin(origin), table(table) {}

  llvm::Expected<NodeRef> run() {
    NodeRef node = text.size() <= maxLength ? parseOr() : fail("the condition is too long");
    skipBlanks();
    if (node && !rest.empty())
      node = fail("expected 'and', 'or' or the end of the condition");
    if (error)
      return std::move(*error);
    return node;
  }

private:
  /// Bounds of the recursion, here and in evaluate(). Nobody writes such a condition by hand.
  static constexpr unsigned maxDepth = 64, maxLength = 4096;

  Origin here() const {
    Origin place = origin;
    place.column += text.size() - rest.size();
    return place;
  }

  NodeRef fail(llvm::Error mistake) {
    if (!error)
      error.emplace(std::move(mistake));
    else
      llvm::consumeError(std::move(mistake));
    return nullptr;
  }
  NodeRef fail(const llvm::Twine &message) { return fail(configError(here(), message)); }

  void skipBlanks() { rest = rest.ltrim(); }

  static bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.'; }

  bool consumeWord(llvm::StringRef word) {
    skipBlanks();
    if (rest.take_while(isWordCharacter) != word)
      return false;
    rest = rest.drop_front(word.size());
    return true;
  }

  bool consume(llvm::StringRef token) {
    skipBlanks();
    return rest.consume_front(token);
  }

  static NodeRef makeNode(Node::Kind kind, NodeRef left, NodeRef right = nullptr) {
    return std::make_shared<Node>(Node{kind, std::move(left), std::move(right)});
  }

  NodeRef parseOr() {
    NodeRef left = parseAnd();
    while (left && consumeWord("or")) {
      NodeRef right = parseAnd();
      left = right ? makeNode(Node::Or, left, right) : nullptr;
    }
    return left;
  }

  NodeRef parseAnd() {
    NodeRef left = parseNot();
    while (left && consumeWord("and")) {
      NodeRef right = parseNot();
      left = right ? makeNode(Node::And, left, right) : nullptr;
    }
    return left;
  }

  NodeRef parseNot() {
    if (++depth > maxDepth)
      return fail("the condition is nested too deeply");
    NodeRef result;
    if (consumeWord("not")) {
      NodeRef operand = parseNot();
      result = operand ? makeNode(Node::Not, operand) : nullptr;
    } else if (consume("(")) {
      result = parseOr();
      if (result && !consume(")"))
        result = fail("expected ')'");
    } else {
      result = parseComparison();
    }
    --depth;
    return result;
  }

  NodeRef parseComparison() {
    skipBlanks();
    llvm::StringRef name = rest.take_while(isWordCharacter);
    if (name.empty())
      return fail("expected an option, 'not' or '('");
    const OptionDeclaration *option = table.find(name);
    if (!option)
      return fail(table.describeUnknown(name, here()));
    rest = rest.drop_front(name.size());

    auto node = std::make_shared<Node>();
    node->option = option->name.str();
    std::optional<Node::Kind> relation = parseRelation();
    if (!relation) {
      if (option->kind != OptionKind::Bool)
        return fail("option '" + option->name + "' is not true or false; compare it with ==, !=, <, <=, > or >=");
      node->kind = Node::Equal;
      node->literal = true;
      return node;
    }
    if (*relation >= Node::Less && option->kind != OptionKind::Integer)
      return fail("option '" + option->name + "' has no order; compare it with == or !=");
    node->kind = *relation;
    return parseLiteral(*option, node->literal) ? node : nullptr;
  }

  std::optional<Node::Kind> parseRelation() {
    static constexpr std::pair<llvm::StringLiteral, Node::Kind> relations[] = {
        {"==", Node::Equal},        {"!=", Node::NotEqual}, {"<=", Node::LessEqual},
        {">=", Node::GreaterEqual}, {"<", Node::Less},      {">", Node::Greater}};
    for (auto [token, kind] : relations)
      if (consume(token))
        return kind;
    return std::nullopt;
  }

  bool parseLiteral(const OptionDeclaration &option, OptionValue &result) {
    skipBlanks();
    Origin place = here();
    llvm::Expected<OptionValue> value = OptionValue(false);
    if (rest.starts_with("'") || rest.starts_with("\"")) {
      size_t end = rest.find(rest.front(), 1);
      if (end == llvm::StringRef::npos)
        return fail("the text is not closed"), false;
      value = checkOption(option, rest.slice(1, end).str(), place);
      rest = rest.drop_front(end + 1);
    } else {
      llvm::StringRef word = rest.take_while(isWordCharacter);
      int64_t number;
      if (word != "true" && word != "false" && word.getAsInteger(10, number))
        return fail("expected an integer, true, false or a quoted text"), false;
      value = parseOption(option, word, place);
      rest = rest.drop_front(word.size());
    }
    if (!value) {
      error.emplace(value.takeError());
      return false;
    }
    result = std::move(*value);
    return true;
  }

  llvm::StringRef text, rest;
  Origin origin;
  const OptionTable &table;
  unsigned depth = 0;
  std::optional<llvm::Error> error;
};

} // namespace

llvm::Expected<Condition> Condition::parse(llvm::StringRef text, const Origin &origin, const OptionTable &table) {
  llvm::Expected<NodeRef> root = ConditionParser(text, origin, table).run();
  if (!root)
    return root.takeError();
  Condition condition;
  condition.text = text.str();
  condition.root = std::move(*root);
  return condition;
}

static bool evaluateNode(const Node &node, const OptionSet &options) {
  switch (node.kind) {
  case Node::Or:
    return evaluateNode(*node.left, options) || evaluateNode(*node.right, options);
  case Node::And:
    return evaluateNode(*node.left, options) && evaluateNode(*node.right, options);
  case Node::Not:
    return !evaluateNode(*node.left, options);
  default:
    break;
  }
  const OptionValue &value = options.get(node.option).value;
  switch (node.kind) {
  case Node::Equal:
    return value == node.literal;
  case Node::NotEqual:
    return value != node.literal;
  case Node::Less:
    return value < node.literal;
  case Node::LessEqual:
    return value <= node.literal;
  case Node::Greater:
    return value > node.literal;
  default:
    return value >= node.literal;
  }
}

bool Condition::evaluate(const OptionSet &options) const {
  return !root || evaluateNode(*root, options);
}
