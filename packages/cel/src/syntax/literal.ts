import { intOf, uintOf } from "../value/int-arithmetic.ts";
import { Double, isError } from "../value/value.ts";
import type { Value } from "../value/value.ts";
import type { Token } from "./lexer.ts";
import { readBytes, readString } from "./string-literal.ts";

/** The value that a literal stands for, or what is wrong with it. */
type Literal = { readonly value: Value } | { readonly problem: string };

/** Reads a literal; a number may have a sign, which is a token of its own. */
export function readLiteral({ kind, text }: Token, sign: "" | "-"): Literal {
  switch (kind) {
    case "NUM_INT":
      return numberOr("invalid int literal", intOf(BigInt(text) * (sign === "" ? 1n : -1n)));
    case "NUM_UINT":
      return numberOr("invalid uint literal", uintOf(BigInt(text.slice(0, -1))));
    case "NUM_FLOAT": {
      const value = Number(sign + text);
      return numberOr("invalid double literal", Number.isFinite(value) ? new Double(value) : undefined);
    }
    case "STRING": {
      const read = readString(text);
      return "text" in read ? { value: read.text } : read;
    }
    case "BYTES": {
      const read = readBytes(text);
      return "bytes" in read ? { value: read.bytes } : read;
    }
    default:
      return { value: kind === "'null'" ? null : kind === "'true'" };
  }
}

function numberOr(problem: string, value: ReturnType<typeof intOf | typeof uintOf> | Double | undefined): Literal {
  return value === undefined || isError(value) ? { problem } : { value };
}
