import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors, labelValueErrors, qualifiedNameErrors } from "@kaji/core";
import { requestUriError } from "@kaji/core/go";
import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { listType, namedType, optionalType, stringType } from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { formatCost } from "../evaluate/call-cost.ts";
import { listOf } from "../value/list-value.ts";
import { parseDate, parseTimestamp } from "../value/timestamp.ts";
import { ErrorValue, Optional } from "../value/value.ts";
import type { OpaqueValue } from "../value/value.ts";

const formatName = "kubernetes.NamedFormat";
const formatType: Type<FormatValue> = namedType(formatName);

class FormatValue implements OpaqueValue {
  readonly kind = "opaque";
  readonly typeName = formatName;
  readonly name: string;
  /** The length of upstream's regular expression for the format, which decides what a check costs. */
  readonly patternSize: number;
  readonly errorsOf: (text: string) => readonly string[];

  constructor(name: string, patternSize: number, errorsOf: (text: string) => readonly string[]) {
    this.name = name;
    this.patternSize = patternSize;
    this.errorsOf = errorsOf;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }

  toString(): string {
    return this.name;
  }
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

const formats: ReadonlyMap<string, FormatValue> = new Map([
  ["dns1123Label", new FormatValue("DNS1123Label", 30, dns1123LabelErrors)],
  ["dns1123Subdomain", new FormatValue("DNS1123Subdomain", 60, dns1123SubdomainErrors)],
  ["dns1035Label", new FormatValue("DNS1035Label", 30, dns1035LabelErrors)],
  ["qualifiedName", new FormatValue("QualifiedName", 60, qualifiedNameErrors)],
  ["dns1123LabelPrefix", new FormatValue("DNS1123LabelPrefix", 30, (text) => dns1123LabelErrors(maskedPrefix(text)))],
  ["dns1123SubdomainPrefix", new FormatValue("DNS1123SubdomainPrefix", 60, (text) => dns1123SubdomainErrors(maskedPrefix(text)))],
  ["dns1035LabelPrefix", new FormatValue("DNS1035LabelPrefix", 30, (text) => dns1035LabelErrors(maskedPrefix(text)))],
  ["labelValue", new FormatValue("LabelValue", 40, labelValueErrors)],
  ["uri", new FormatValue("URI", 1103, (text) => requestUriError(text) ?? [])],
  ["uuid", new FormatValue("uuid", 70, (text) => (uuid.test(text) ? [] : ["does not match the UUID format"]))],
  ["byte", new FormatValue("byte", 84, (text) => (base64.test(text) ? [] : ["invalid base64"]))],
  ["date", new FormatValue("date", 71, (text) => (parseDate(text) === undefined ? ["invalid date"] : []))],
  ["datetime", new FormatValue("datetime", 71, (text) => (isDateTime(text) ? [] : ["invalid datetime"]))],
]);

/** The formats of names and other text by their name. */
export const format: readonly FunctionDeclaration[] = [
  ...Array.from(formats, ([name, value]) =>
    declare(
      `format.${name}`,
      overload(`format.${name}`, [], formatType, () => value),
    ),
  ),
  declare("format.named", overload("format-named", [stringType], optionalType(formatType), named)),
  declare(
    "validate",
    memberOverload("format-validate", [formatType, stringType], optionalType(listType(stringType)), validate, ([value, text = ""]) =>
      value instanceof FormatValue ? formatCost(value.patternSize, text) : 1,
    ),
  ),
];

function named(name: string): Optional {
  const found = formats.get(name);
  return found === undefined ? Optional.none : Optional.of(found);
}

function validate(value: FormatValue, text: string): Optional {
  const errors = value.errorsOf(text);
  return errors.length === 0 ? Optional.none : Optional.of(listOf(errors));
}

/** A prefix may end in a hyphen, since text follows it. */
function maskedPrefix(text: string): string {
  return text.length > 1 && text.endsWith("-") ? `${text.slice(0, -1)}a` : text;
}

function isDateTime(text: string): boolean {
  const time = parseTimestamp(text.replace(" ", "T").replace(/t/, "T").replace(/z$/, "Z"));
  return time !== undefined && !(time instanceof ErrorValue);
}
