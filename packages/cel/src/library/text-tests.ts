import { operator } from "../check/declaration.ts";
import type { FunctionDeclaration, Implementation } from "../check/declaration.ts";
import { boolType, stringType } from "../check/type.ts";
import { noOverloadOf, noSuchOverload } from "../value/value.ts";
import { patternFunction } from "./pattern.ts";

const matches = patternFunction((pattern, text) => pattern.test(text));
const noMatches = noOverloadOf("matches");
const matchesAny: Implementation = (text = null, pattern = null) =>
  typeof text === "string" ? matches.call(text, pattern) : noMatches(text);
const signature = { parameters: [stringType, stringType], result: boolType };

/** The tests of text that the language itself has. They check their arguments themselves, so their errors name less than those of other functions. */
export const textTests: readonly FunctionDeclaration[] = [
  textTest("contains", "contains_string", (text, part) => text.includes(part)),
  textTest("endsWith", "ends_with_string", (text, part) => text.endsWith(part)),
  textTest("startsWith", "starts_with_string", (text, part) => text.startsWith(part)),
  {
    name: "matches",
    isOperator: true,
    overloads: [
      { id: "matches", isMember: false, ...signature, ...matches, call: matchesAny },
      { id: "matches_string", isMember: true, ...signature, ...matches, call: matchesAny },
    ],
  },
];

function textTest(name: string, id: string, holds: (text: string, part: string) => boolean): FunctionDeclaration {
  const { overloads, ...rest } = operator(name, [[id, signature.parameters, boolType]], (text, part) =>
    typeof text === "string" && typeof part === "string" ? holds(text, part) : noSuchOverload,
  );
  return { ...rest, overloads: overloads.map((form) => ({ ...form, isMember: true })) };
}
