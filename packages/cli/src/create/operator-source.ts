import { CommandError } from "../command.ts";
import { closingBracket, maskedCode } from "./code-mask.ts";

/** What is to be in the file that defines the operator. */
export interface Addition {
  /** A variable, and the file that exports it. */
  readonly name: string;
  readonly from: string;
  readonly list: "controllers" | "conversions" | "resources" | "webhooks";
}

/** Adds an import and an entry of a list to the source of an operator, and leaves every other character as it is. What is there already is not added again. */
export function addToOperator(text: string, addition: Addition): string {
  // All lines end as on Windows: then those that are added do, too.
  if (/\r\n/.test(text) && !/(?<!\r)\n/.test(text)) return addToOperator(text.replaceAll("\r\n", "\n"), addition).replaceAll("\n", "\r\n");
  const { name, from, list } = addition;
  return withEntry(withImport(text, name, from), list, name);
}

function withImport(text: string, name: string, from: string): string {
  const imports = [...maskedCode(text).matchAll(/^import\b[^"']*["'][^"']*["'];?/gm)];
  const statements = imports.map(({ 0: found, index }) => text.slice(index, index + found.length));
  const naming = statements.filter((statement) => new RegExp(`\\b${name}\\b(?!\\s+as\\b)`).test(statement));
  if (naming.some((statement) => statement.includes(from))) return text;
  const [other] = naming;
  if (other !== undefined) {
    throw new CommandError(
      `${name} comes from elsewhere already: ${other.replace(/;$/, "")}; there is nothing to add, or rename that one first`,
    );
  }
  const last = imports.at(-1);
  const line = `import { ${name} } from "${from}";`;
  if (last === undefined) return `${line}\n${text}`;
  const lineEnd = text.indexOf("\n", last.index + last[0].length);
  const at = lineEnd < 0 ? text.length : lineEnd;
  return `${text.slice(0, at)}\n${line}${text.slice(at)}`;
}

function withEntry(text: string, list: Addition["list"], name: string): string {
  const code = maskedCode(text);
  const call = /\bdefineOperator\s*\(\s*\{/.exec(code);
  if (call === null) throw unclear(list, name);
  const open = call.index + call[0].length - 1;
  const close = closingBracket(code, open);
  if (close < 0) throw unclear(list, name);
  const property = propertyAt(code, open, close, list);
  if (property === undefined) return list === "controllers" ? failing(list, name) : withNewList(text, code, { open, close, list, name });
  const end = closingBracket(code, property);
  if (code.charAt(property) !== "[" || end < 0) throw unclear(list, name);
  return withItem(text, code, { start: property, end, name });
}

/** Where the value of a property of an object literal begins; undefined if it has none of that name. */
function propertyAt(code: string, open: number, close: number, name: string): number | undefined {
  let depth = 0;
  for (let at = open + 1; at < close; at++) {
    const character = code.charAt(at);
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    if (depth > 0) continue;
    const found = new RegExp(`^${name}\\s*:\\s*`).exec(code.slice(at, close));
    if (found !== null && !/[\w$.]/.test(code.charAt(at - 1))) return at + found[0].length;
  }
  return undefined;
}

function withItem(
  text: string,
  code: string,
  { start, end, name }: { readonly start: number; readonly end: number; readonly name: string },
): string {
  const items = code.slice(start + 1, end);
  // By itself, or called with what it needs.
  if (new RegExp(`(^|[\\s,])${name}\\s*([,(]|$)`).test(items)) return text;
  const written = items.trimEnd();
  const at = start + 1 + written.length;
  if (written.trim() === "") return `${text.slice(0, start + 1)}${name}${text.slice(end)}`;
  const comma = written.endsWith(",") ? "" : ",";
  const indent = /\n([ \t]+)\S[^\n]*$/.exec(written)?.[1];
  if (indent === undefined) return `${text.slice(0, at)}${comma} ${name}${text.slice(at)}`;
  // What follows the last item on its line, such as a comment, stays with it.
  const lineEnd = code.indexOf("\n", at);
  return `${text.slice(0, at)}${comma}${text.slice(at, lineEnd)}\n${indent}${name},${text.slice(lineEnd)}`;
}

function withNewList(
  text: string,
  code: string,
  { open, close, list, name }: { readonly open: number; readonly close: number; readonly list: string; readonly name: string },
): string {
  const body = code.slice(open + 1, close);
  const at = open + 1 + body.trimEnd().length;
  const comma = code.charAt(at - 1) === "," ? "" : ",";
  const indent = /\n([ \t]+)\S/.exec(body)?.[1];
  const entry = `${list}: [${name}]`;
  return `${text.slice(0, at)}${comma}${indent === undefined ? ` ${entry}` : `\n${indent}${entry},`}${text.slice(at)}`;
}

function failing(list: string, name: string): never {
  throw unclear(list, name);
}

function unclear(list: string, name: string): CommandError {
  return new CommandError(
    `the operator's file has no defineOperator({ ${list}: [ … ] }) to add ${name} to; nothing was changed: give it one, and run this again`,
  );
}
