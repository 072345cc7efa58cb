import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { dynType, intType, listType, stringType } from "../check/type.ts";
import { CostExceeded } from "../evaluate/frame.ts";
import { goText } from "../value/go-text.ts";
import { itemsOf, listOf } from "../value/list-value.ts";
import { codePointCount, codePointIndexOf, codePointLastIndexOf, codePointSlice } from "../value/text.ts";
import { ErrorValue } from "../value/value.ts";
import type { Int, ListValue, Value } from "../value/value.ts";
import { formatText } from "./string-format.ts";

const texts = listType(stringType);

/** The extended functions on strings, version 2. Positions count code points. */
export const strings: readonly FunctionDeclaration[] = [
  declare("charAt", memberOverload("string_char_at_int", [stringType, intType], stringType, charAt)),
  declare(
    "indexOf",
    memberOverload("string_index_of_string", [stringType, stringType], intType, (text, part) => indexOf(text, part, 0)),
    memberOverload("string_index_of_string_int", [stringType, stringType, intType], intType, indexOf),
  ),
  declare(
    "lastIndexOf",
    memberOverload("string_last_index_of_string", [stringType, stringType], intType, lastIndexOfAll),
    memberOverload("string_last_index_of_string_int", [stringType, stringType, intType], intType, lastIndexOf),
  ),
  declare(
    "lowerAscii",
    memberOverload("string_lower_ascii", [stringType], stringType, (text) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())),
  ),
  declare(
    "upperAscii",
    memberOverload("string_upper_ascii", [stringType], stringType, (text) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())),
  ),
  declare(
    "replace",
    memberOverload("string_replace_string_string", [stringType, stringType, stringType], stringType, (text, old, fresh) =>
      replace(text, old, fresh, -1),
    ),
    memberOverload("string_replace_string_string_int", [stringType, stringType, stringType, intType], stringType, replace),
  ),
  declare(
    "split",
    memberOverload("string_split_string", [stringType, stringType], texts, (text, separator) => split(text, separator, -1)),
    memberOverload("string_split_string_int", [stringType, stringType, intType], texts, split),
  ),
  declare(
    "substring",
    memberOverload("string_substring_int", [stringType, intType], stringType, (text, start) => substring(text, start)),
    memberOverload("string_substring_int_int", [stringType, intType, intType], stringType, substring),
  ),
  declare("trim", memberOverload("string_trim", [stringType], stringType, trim)),
  declare("format", memberOverload("string_format", [stringType, listType(dynType)], stringType, formatText)),
  declare("strings.quote", overload("strings_quote", [stringType], stringType, quote)),
  declare(
    "join",
    memberOverload("list_join", [texts], stringType, (list) => join(list, "")),
    memberOverload("list_join_string", [texts, stringType], stringType, join),
  ),
];

function outOfRange(index: Int): ErrorValue {
  return new ErrorValue(`index out of range: ${index}`);
}

function charAt(text: string, index: Int): Value {
  const size = codePointCount(text);
  return index < 0 || index > size ? outOfRange(index) : codePointSlice(text, Number(index), Number(index) + 1);
}

function indexOf(text: string, part: string, offset: Int): Value {
  if (part === "") return offset;
  if (offset < 0) return outOfRange(offset);
  return offset > text.length ? -1 : codePointIndexOf(text, part, Number(offset));
}

function lastIndexOfAll(text: string, part: string): Value {
  const size = codePointCount(text);
  if (part === "") return size;
  return text.length < part.length ? -1 : lastIndexOf(text, part, size - 1);
}

function lastIndexOf(text: string, part: string, offset: Int): Value {
  if (part === "") return offset;
  if (offset < 0) return outOfRange(offset);
  return offset >= codePointCount(text) ? -1 : codePointLastIndexOf(text, part, Number(offset));
}

/** Longer than any text that the cost limit allows to be read. */
const longestText = 2 ** 24;

function replace(text: string, old: string, fresh: string, limit: Int): Value {
  const parts = old === "" ? ["", ...text, ""] : text.split(old);
  const count = limit < 0 ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  if (text.length + count * fresh.length > longestText) throw new CostExceeded();
  const replaced = parts.slice(0, count + 1).join(fresh);
  const rest = parts.slice(count + 1).map((part) => old + part);
  return replaced + rest.join("");
}

/** As Go does: no parts for a limit of zero, and the last part is all the rest. */
function split(text: string, separator: string, limit: Int): Value {
  if (limit === 0) return listOf([]);
  const parts = separator === "" ? Array.from(text) : text.split(separator);
  if (limit < 0 || limit >= parts.length) return listOf(parts);
  const kept = parts.slice(0, Number(limit) - 1);
  return listOf([...kept, parts.slice(Number(limit) - 1).join(separator)]);
}

function substring(text: string, start: Int, end?: Int): Value {
  const size = codePointCount(text);
  if (end !== undefined && start > end) return new ErrorValue(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > size) return outOfRange(start);
  if (end !== undefined && (end < 0 || end > size)) return outOfRange(end);
  return codePointSlice(text, Number(start), end === undefined ? undefined : Number(end));
}

/** What Unicode calls white space, which is not what JavaScript does: U+0085 is, U+FEFF is not. */
function trim(text: string): string {
  return text.replace(/^[\p{White_Space}]+/u, "").replace(/[\p{White_Space}]+$/u, "");
}

const quoted: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

function quote(text: string): string {
  return `"${Array.from(text, (letter) => quoted.get(letter) ?? letter).join("")}"`;
}

function join(list: ListValue, separator: string): Value {
  const parts: string[] = [];
  for (const item of itemsOf(list)) {
    if (typeof item !== "string") return new ErrorValue(`join: invalid input: ${goText(item)}`);
    parts.push(item);
  }
  return parts.join(separator);
}
