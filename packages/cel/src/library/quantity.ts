import { ParseError, Quantity } from "@kaji/core";
import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { boolType, doubleType, intType, namedType, stringType } from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { intOf } from "../value/int-arithmetic.ts";
import { Double, ErrorValue, noSuchOverload } from "../value/value.ts";
import type { Int, OpaqueValue, Value } from "../value/value.ts";

const quantityName = "kubernetes.Quantity";
const quantityType: Type<QuantityValue> = namedType(quantityName);

/** Amounts such as `100m` and `1.5Gi`. */
export const quantity: readonly FunctionDeclaration[] = [
  declare("quantity", overload("string_to_quantity", [stringType], quantityType, read)),
  declare(
    "isQuantity",
    overload("is_quantity_string", [stringType], boolType, (text) => !(read(text) instanceof ErrorValue)),
  ),
  declare(
    "sign",
    overload("quantity_sign", [quantityType], intType, ({ amount }) => amount.sign()),
  ),
  declare(
    "isGreaterThan",
    memberOverload("quantity_is_greater_than", [quantityType, quantityType], boolType, (q, other) => compared(q, other) > 0),
  ),
  declare(
    "isLessThan",
    memberOverload("quantity_is_less_than", [quantityType, quantityType], boolType, (q, other) => compared(q, other) < 0),
  ),
  declare("compareTo", memberOverload("quantity_compare_to", [quantityType, quantityType], intType, compared)),
  declare(
    "asApproximateFloat",
    memberOverload("quantity_get_float", [quantityType], doubleType, ({ amount }) => new Double(amount.asApproximateFloat())),
  ),
  declare("asInteger", memberOverload("quantity_get_int", [quantityType], intType, asInteger)),
  declare(
    "isInteger",
    memberOverload("quantity_is_integer", [quantityType], boolType, ({ amount }) => amount.asInt64() !== undefined),
  ),
  declare(
    "add",
    memberOverload("quantity_add", [quantityType, quantityType], quantityType, (q, other) => computed(q.amount.add(other.amount))),
    memberOverload("quantity_add_int", [quantityType, intType], quantityType, (q, other) => computed(q.amount.add(whole(other)))),
  ),
  declare(
    "sub",
    memberOverload("quantity_sub", [quantityType, quantityType], quantityType, (q, other) => computed(q.amount.sub(other.amount))),
    memberOverload("quantity_sub_int", [quantityType, intType], quantityType, (q, other) => computed(q.amount.sub(whole(other)))),
  ),
];

class QuantityValue implements OpaqueValue {
  readonly kind = "opaque";
  readonly typeName = quantityName;
  readonly amount: Quantity;
  /** A computed quantity cannot stand on the right of `==`: upstream compares only with quantities that were parsed. */
  readonly #origin: "parsed" | "computed";

  constructor(amount: Quantity, origin: "parsed" | "computed") {
    this.amount = amount;
    this.#origin = origin;
  }

  equals(other: OpaqueValue): boolean | ErrorValue {
    if (!(other instanceof QuantityValue) || other.#origin === "computed") return noSuchOverload;
    return this.amount.equals(other.amount);
  }

  toString(): string {
    return this.amount.toString();
  }
}

function read(text: string): QuantityValue | ErrorValue {
  try {
    return new QuantityValue(Quantity.parse(text), "parsed");
  } catch (error) {
    if (error instanceof ParseError) return new ErrorValue(error.message);
    throw error;
  }
}

function computed(amount: Quantity): QuantityValue {
  return new QuantityValue(amount, "computed");
}

function whole(amount: Int): Quantity {
  return Quantity.of(amount, "DecimalExponent");
}

function compared(left: QuantityValue, right: QuantityValue): number {
  return left.amount.compare(right.amount);
}

function asInteger({ amount }: QuantityValue): Value {
  const value = amount.asInt64();
  return value === undefined ? new ErrorValue("cannot convert value to integer") : intOf(value);
}
