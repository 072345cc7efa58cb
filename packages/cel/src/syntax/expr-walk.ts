import type { CallExpr, ComprehensionExpr, Expr, IdentExpr, ListExpr, LiteralExpr, MapExpr, SelectExpr, StructExpr } from "./expr.ts";

/**
 * Computes something for an expression and for those of its parts that it asks for. A macro expansion may contain a part twice, always in the same scope: each part is visited once,
 * since otherwise nested expansions would take exponential time.
 */
export abstract class ExprWalk<R> {
  readonly #found = new Map<Expr, R>();

  /** Computes the result of a part. */
  of(expr: Expr): R {
    const known = this.#found.get(expr);
    if (known !== undefined) return known;
    const result = this.#find(expr);
    this.#found.set(expr, result);
    return result;
  }

  /** The result of a part that was visited before. */
  protected found(expr: Expr): R | undefined {
    return this.#found.get(expr);
  }

  /** Sets the result of a part without visiting it. */
  protected settle(expr: Expr, result: R): void {
    this.#found.set(expr, result);
  }

  protected abstract literal(expr: LiteralExpr): R;
  protected abstract ident(expr: IdentExpr): R;
  protected abstract select(expr: SelectExpr): R;
  protected abstract call(expr: CallExpr): R;
  protected abstract list(expr: ListExpr): R;
  protected abstract map(expr: MapExpr): R;
  protected abstract struct(expr: StructExpr): R;
  protected abstract comprehension(expr: ComprehensionExpr): R;

  #find(expr: Expr): R {
    switch (expr.type) {
      case "Literal":
        return this.literal(expr);
      case "Ident":
        return this.ident(expr);
      case "Select":
        return this.select(expr);
      case "Call":
        return this.call(expr);
      case "List":
        return this.list(expr);
      case "Map":
        return this.map(expr);
      case "Struct":
        return this.struct(expr);
      case "Comprehension":
        return this.comprehension(expr);
      default:
        return expr satisfies never;
    }
  }
}
