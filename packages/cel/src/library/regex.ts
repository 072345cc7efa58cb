import type { RE2JS } from "re2js";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { intType, listType, stringType } from "../check/type.ts";
import { listOf } from "../value/list-value.ts";
import { isInt, noSuchOverload } from "../value/value.ts";
import { patternFunction } from "./pattern.ts";

const findFirst = patternFunction((pattern, text) => matches(pattern, text, 1)[0] ?? "", "Illegal regex: ");
const findAll = patternFunction(
  (pattern, text, limit = -1) => (isInt(limit) ? listOf(matches(pattern, text, limit < 0 ? Infinity : Number(limit))) : noSuchOverload),
  "Illegal regex: ",
);

/** Kubernetes' functions that find text by a regular expression. */
export const regex: readonly FunctionDeclaration[] = [
  {
    name: "find",
    overloads: [{ id: "string_find_string", isMember: true, parameters: [stringType, stringType], result: stringType, ...findFirst }],
  },
  {
    name: "findAll",
    overloads: [
      { id: "string_find_all_string", isMember: true, parameters: [stringType, stringType], result: listType(stringType), ...findAll },
      {
        id: "string_find_all_string_int",
        isMember: true,
        parameters: [stringType, stringType, intType],
        result: listType(stringType),
        ...findAll,
      },
    ],
  },
];

function matches(pattern: RE2JS, text: string, limit: number): readonly string[] {
  const found: string[] = [];
  const matcher = pattern.matcher(text);
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? "");
  return found;
}
