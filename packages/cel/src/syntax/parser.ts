import type { EntryExpr, Expr, FieldExpr, ItemExpr } from "./expr.ts";
import { tokenize } from "./lexer.ts";
import type { Token, TokenKind } from "./lexer.ts";
import { readLiteral } from "./literal.ts";
import { expandMacro, isIssue } from "./macro.ts";
import type { Issue, Source } from "./source.ts";
import { TokenStream, Unreadable } from "./token-stream.ts";

/** As deep as expressions may be nested, and as long as they may be, both as in cel-go. */
const deepest = 250;
const longest = 100_000;

/** Reads an expression; there is none exactly if there are issues. */
export function parse(source: Source): { readonly expr: Expr } | { readonly issues: readonly Issue[] } {
  const size = source.letters.length;
  if (size > longest)
    return { issues: [{ position: -1, message: `expression code point size exceeds limit: size: ${size}, limit ${longest}` }] };
  const { tokens, issues } = tokenize(source);
  const parser = new Parser(tokens, issues);
  const expr = parser.parse();
  return expr === undefined || parser.issues.length > 0 ? { issues: parser.issues } : { expr };
}

class Parser {
  readonly issues: Issue[];
  readonly #tokens: TokenStream;
  /** How many operators, fields and calls there are on the longest way into an expression. */
  readonly #depths = new WeakMap<Expr, number>();
  #nesting = 0;

  constructor(tokens: readonly Token[], issues: readonly Issue[]) {
    this.issues = [...issues];
    this.#tokens = new TokenStream(tokens, (issue) => this.issues.push(issue));
  }

  parse(): Expr | undefined {
    try {
      const expr = this.#expression();
      this.#tokens.sync(["<EOF>"]);
      return expr;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #expression(): Expr {
    if (++this.#nesting > deepest) this.#refuse(`expression recursion limit exceeded: ${deepest}`);
    const condition = this.#or();
    const operator = this.#tokens.take("'?'");
    const expr = operator === undefined ? condition : this.#conditional(condition, operator);
    this.#nesting--;
    return expr;
  }

  #conditional(condition: Expr, operator: Token): Expr {
    const truthy = this.#tokens.within(["':'"], () => this.#or());
    this.#tokens.expect("':'");
    return this.#operation("_?_:_", operator, [condition, truthy, this.#expression()]);
  }

  #or(): Expr {
    return this.#logic("'||'", "_||_", () => this.#logic("'&&'", "_&&_", () => this.#relation()));
  }

  /** A chain of one operator, balanced so that it is not as deep as it is long. */
  #logic(kind: TokenKind, name: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const operators: Token[] = [];
    for (let operator = this.#tokens.take(kind); operator !== undefined; operator = this.#tokens.take(kind)) {
      operators.push(operator);
      terms.push(operand());
    }
    return this.#balanced(name, terms, operators, 0, operators.length - 1);
  }

  #balanced(name: string, terms: readonly Expr[], operators: readonly Token[], low: number, high: number): Expr {
    const middle = (low + high + 1) >> 1;
    const operator = operators[middle];
    const [first, last] = [terms[low], terms[middle + 1]];
    if (operator === undefined || first === undefined || last === undefined) return terms[0] ?? this.#tokens.fail("no operand");
    const left = middle === low ? first : this.#balanced(name, terms, operators, low, middle - 1);
    const right = middle === high ? last : this.#balanced(name, terms, operators, middle + 1, high);
    return this.#record({ type: "Call", name, target: undefined, args: [left, right], position: operator.position }, 0, [left, right]);
  }

  #relation(): Expr {
    return this.#binary(relations, () => this.#binary(sums, () => this.#binary(products, () => this.#unary())));
  }

  #binary(operators: readonly TokenKind[], operand: () => Expr): Expr {
    let left = operand();
    for (let operator = this.#tokens.take(...operators); operator !== undefined; operator = this.#tokens.take(...operators)) {
      left = this.#operation(operator.text === "in" ? "@in" : `_${operator.text}_`, operator, [left, operand()]);
    }
    return left;
  }

  #operation(name: string, operator: Token, args: readonly Expr[]): Expr {
    return this.#record({ type: "Call", name, target: undefined, args, position: operator.position }, 1, args);
  }

  #unary(): Expr {
    this.#tokens.syncExpression();
    const first = this.#tokens.peek();
    const isSign = first.kind === "'!'" || (first.kind === "'-'" && !isNumber(this.#tokens.peek(1)));
    if (!isSign) return this.#member();
    let count = 0;
    while (this.#tokens.take(first.kind) !== undefined) count++;
    if (first.kind === "'-'" && !isOperandStart(this.#tokens.peek())) this.#tokens.failAfter(first);
    if (first.kind === "'!'") this.#tokens.syncExpression();
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    const name = first.kind === "'!'" ? "!_" : "-_";
    return this.#record({ type: "Call", name, target: undefined, args: [operand], position: first.position }, 0, [operand]);
  }

  #member(): Expr {
    let operand = this.#primary();
    for (;;) {
      const operator = this.#tokens.take("'.'", "'['");
      if (operator === undefined) return operand;
      operand = operator.kind === "'['" ? this.#index(operand, operator) : this.#field(operand, operator);
    }
  }

  #index(operand: Expr, bracket: Token): Expr {
    this.#tokens.syncExpression("'?'");
    const optional = this.#tokens.take("'?'") !== undefined;
    const index = this.#tokens.within(["']'"], () => this.#expression());
    this.#tokens.expect("']'");
    return this.#operation(optional ? "_[?_]" : "_[_]", bracket, [operand, index]);
  }

  #field(operand: Expr, dot: Token): Expr {
    const question = this.#tokens.take("'?'");
    const name = this.#tokens.take("IDENTIFIER", "ESC_IDENTIFIER");
    if (name === undefined) this.#tokens.failAfter(dot, ...(question === undefined ? [] : [question]));
    if (name.kind === "ESC_IDENTIFIER") this.issues.push({ position: name.position, message: "unsupported syntax: '`'" });
    if (question !== undefined) {
      const field: Expr = { type: "Literal", value: name.text, position: name.position };
      return this.#record({ type: "Call", name: "_?._", target: undefined, args: [operand, field], position: dot.position }, 1, [operand]);
    }
    const open = name.kind === "IDENTIFIER" ? this.#tokens.take("'('") : undefined;
    if (open !== undefined) return this.#call(name.text, operand, open);
    return this.#record({ type: "Select", operand, field: name.text, testOnly: false, position: dot.position }, 1, [operand]);
  }

  #call(name: string, target: Expr | undefined, open: Token): Expr {
    const args: Expr[] = [];
    this.#tokens.syncExpression("')'");
    this.#tokens.within(["')'", "','"], () => {
      if (this.#tokens.peek().kind === "')'") return;
      do args.push(this.#expression());
      while (this.#tokens.take("','") !== undefined);
    });
    this.#tokens.expect("')'");
    const { position } = open;
    const parts = target === undefined ? args : [target, ...args];
    const expanded = expandMacro({ name, target, args, position });
    if (expanded === undefined) return this.#record({ type: "Call", name, target, args, position }, target === undefined ? 0 : 1, parts);
    if (!isIssue(expanded)) return this.#record(expanded, target === undefined ? 0 : 1, parts);
    this.issues.push(expanded);
    return nothing(position);
  }

  #primary(): Expr {
    const token = this.#tokens.next();
    switch (token.kind) {
      case "'('": {
        const inner = this.#tokens.within(["')'"], () => this.#expression());
        this.#tokens.expect("')'");
        return inner;
      }
      case "'['":
        return this.#list(token);
      case "'{'":
        return this.#map(token);
      case "'.'": {
        const name = this.#tokens.take("IDENTIFIER");
        if (name === undefined) this.#tokens.failAfter(token);
        return this.#named(`.${name.text}`, name);
      }
      case "IDENTIFIER":
        return this.#named(token.text, token);
      default:
        return this.#literal(token);
    }
  }

  /** A name, a call of a function, or the construction of an object. */
  #named(text: string, name: Token): Expr {
    let length = 0;
    while (this.#tokens.peek(length).kind === "'.'" && this.#tokens.peek(length + 1).kind === "IDENTIFIER") length += 2;
    if (this.#tokens.peek(length).kind === "'{'") return this.#struct(text, length);
    const isReserved = reserved.has(name.text);
    if (isReserved) this.issues.push({ position: name.position, message: `reserved identifier: ${name.text}` });
    const open = this.#tokens.take("'('");
    if (open !== undefined) return this.#call(text, undefined, open);
    return { type: "Ident", name: text, position: name.position };
  }

  #struct(first: string, length: number): Expr {
    const name = [first, ...Array.from({ length }, () => this.#tokens.next().text)].join("");
    const { position } = this.#tokens.next();
    const fields: FieldExpr[] = [];
    this.#tokens.sync(["'}'", "','", "'?'", "IDENTIFIER", "ESC_IDENTIFIER"]);
    this.#tokens.within(["'}'", "','"], () => {
      while (this.#tokens.peek().kind !== "'}'" && this.#tokens.peek().kind !== "','") {
        const optional = this.#tokens.take("'?'") !== undefined;
        const field = this.#tokens.take("ESC_IDENTIFIER") ?? this.#tokens.expect("IDENTIFIER");
        const colon = this.#tokens.expect("':'");
        fields.push({ name: field.text, value: this.#expression(), optional, position: colon.position });
        if (this.#tokens.peek(1).kind === "'}'" || this.#tokens.take("','") === undefined) break;
      }
    });
    this.#end("'}'");
    return this.#record(
      { type: "Struct", name, fields, position },
      0,
      fields.map(({ value }) => value),
    );
  }

  #list({ position }: Token): Expr {
    const items: ItemExpr[] = [];
    this.#tokens.syncExpression("']'", "','", "'?'");
    this.#tokens.within(["']'", "','"], () => {
      while (this.#tokens.peek().kind !== "']'" && this.#tokens.peek().kind !== "','") {
        const optional = this.#tokens.take("'?'") !== undefined;
        items.push({ value: this.#expression(), optional });
        if (this.#tokens.peek(1).kind === "']'" || this.#tokens.take("','") === undefined) break;
      }
    });
    this.#end("']'");
    return this.#record(
      { type: "List", items, position },
      0,
      items.map(({ value }) => value),
    );
  }

  #map({ position }: Token): Expr {
    const entries: EntryExpr[] = [];
    this.#tokens.syncExpression("'}'", "','", "'?'");
    this.#tokens.within(["'}'", "','"], () => {
      while (this.#tokens.peek().kind !== "'}'" && this.#tokens.peek().kind !== "','") {
        const optional = this.#tokens.take("'?'") !== undefined;
        const key = this.#tokens.within(["':'"], () => this.#expression());
        this.#tokens.expect("':'");
        entries.push({ key, value: this.#expression(), optional });
        if (this.#tokens.peek(1).kind === "'}'" || this.#tokens.take("','") === undefined) break;
      }
    });
    this.#end("'}'");
    return this.#record(
      { type: "Map", entries, position },
      0,
      entries.flatMap(({ key, value }) => [key, value]),
    );
  }

  /** Closes a literal, which may have a comma at its end. */
  #end(closer: TokenKind): void {
    this.#tokens.sync([closer, "','"]);
    this.#tokens.take("','");
    this.#tokens.expect(closer);
  }

  #literal(token: Token): Expr {
    const { position } = token;
    const sign = token.kind === "'-'" ? "-" : "";
    const read = readLiteral(sign === "" ? token : this.#tokens.next(), sign);
    if ("value" in read) return { type: "Literal", value: read.value, position };
    this.issues.push({ position, message: read.problem });
    return nothing(position);
  }

  #record(expr: Expr, weight: 0 | 1, parts: readonly Expr[]): Expr {
    let depth = 0;
    for (const part of parts) depth = Math.max(depth, this.#depths.get(part) ?? 0);
    if (depth + weight > deepest) this.#refuse("max recursion depth exceeded");
    if (depth + weight > 0) this.#depths.set(expr, depth + weight);
    return expr;
  }

  #refuse(message: string): never {
    this.issues.push({ position: -1, message });
    throw new Unreadable(message);
  }
}

const relations: readonly TokenKind[] = ["'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"];
const sums: readonly TokenKind[] = ["'+'", "'-'"];
const products: readonly TokenKind[] = ["'*'", "'/'", "'%'"];

/** Words that may be names of fields only. */
const reserved: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

function nothing(position: number): Expr {
  return { type: "Literal", value: null, position };
}

function isNumber({ kind }: Token): boolean {
  return kind === "NUM_INT" || kind === "NUM_FLOAT";
}

function isOperandStart({ kind }: Token): boolean {
  return !["'!'", "<EOF>"].includes(kind) && !operandEnds.has(kind);
}

const operandEnds: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...relations,
  "'+'",
  "'*'",
  "'/'",
  "'%'",
  "')'",
  "']'",
  "'}'",
  "','",
  "':'",
  "'&&'",
  "'||'",
  "'?'",
]);
