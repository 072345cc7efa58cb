import { compareGoStrings } from "../go/go-format.ts";
import { ParseError } from "../error/parse-error.ts";

/** One condition on one field. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** Conditions on fields that must all hold. A field that is absent is the empty string. */
export class FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  /** Asks for each field by its name, such as `metadata.name`. */
  matches(lookup: (field: string) => string | undefined): boolean {
    return this.requirements.every(({ field, operator, value }) => ((lookup(field) ?? "") === value) === (operator === "="));
  }

  /** The text form, in which `parseFieldSelector` reads it. */
  toString(): string {
    return this.requirements.map(({ field, operator, value }) => `${field}${operator}${escapeValue(value)}`).join(",");
  }
}

/** Reads `metadata.name=web,spec.nodeName!=`; in values `\`, `,` and `=` are escaped by a `\`. Throws a `ParseError` in the API server's words. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).toSorted(compareGoStrings);
  const requirements = terms.filter((term) => term !== "").map((term) => parseTerm(term, text));
  return new FieldSelector(requirements.filter(({ field, value }) => field !== "" || value !== ""));
}

function parseTerm(term: string, text: string): FieldRequirement {
  const [all, field = "", operator] = /^(.*?)(!=|==?)/s.exec(term) ?? [];
  if (all === undefined) throw new ParseError(`invalid selector: '${text}'; can't understand '${term}'`);
  return { field, operator: operator === "!=" ? "!=" : "=", value: unescapeValue(term.slice(all.length)) };
}

/** Splits at commas that are not escaped. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === ",") {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function unescapeValue(value: string): string {
  return value.replaceAll(/\\(.?)|[,=]/gsu, (sequence: string, escaped?: string) => {
    // The server prints the number of the character, not the character.
    if (escaped === undefined) throw new ParseError(`invalid field selector: unescaped character in value: ${sequence.codePointAt(0)}`);
    if (escaped === "" || !"\\,=".includes(escaped)) throw new ParseError(`invalid field selector: invalid escape sequence: ${sequence}`);
    return escaped;
  });
}

function escapeValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, "\\$&");
}
