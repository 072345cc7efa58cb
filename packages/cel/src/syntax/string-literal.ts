const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["`", "`"],
  ["?", "?"],
]);

const digitsOf: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

/** The text that a string literal stands for, or what is wrong with it. */
export function readString(literal: string): { readonly text: string } | { readonly problem: string } {
  const { body, raw } = unquote(literal);
  if (raw || !body.includes("\\")) return { text: body };
  let problem: string | undefined;
  const text = body.replaceAll(escape, (sequence) => {
    const { letter, bad } = unescape(sequence);
    problem ??= bad;
    return letter;
  });
  return problem === undefined ? { text } : { problem };
}

/** The bytes that a literal such as `b'\xff'` stands for, or what is wrong with it. In bytes, escapes are bytes and not characters. */
export function readBytes(literal: string): { readonly bytes: Uint8Array } | { readonly problem: string } {
  const { body, raw } = unquote(literal.slice(1));
  if (raw || !body.includes("\\")) return { bytes: Buffer.from(body, "utf8") };
  const parts: Buffer[] = [];
  let end = 0;
  for (const { 0: sequence, index } of body.matchAll(escape)) {
    parts.push(Buffer.from(body.slice(end, index), "utf8"));
    end = index + sequence.length;
    if (/^\\[uU]/.test(sequence)) return { problem: "unable to unescape string" };
    const { letter, bad } = unescape(sequence);
    if (bad !== undefined) return { problem: bad };
    parts.push(Buffer.from(letter, "latin1"));
  }
  parts.push(Buffer.from(body.slice(end), "utf8"));
  return { bytes: Buffer.concat(parts) };
}

const escape = /\\(?:[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-3][0-7]{2}|.|$)/gsu;

function unquote(literal: string): { readonly body: string; readonly raw: boolean } {
  const raw = /^[rR]/.test(literal);
  const quoted = raw ? literal.slice(1) : literal;
  const quotes = /^(?:"""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  return { body: quoted.slice(quotes, -quotes), raw };
}

function unescape(sequence: string): { readonly letter: string; readonly bad?: string } {
  const kind = sequence[1] ?? "";
  const simple = simpleEscapes.get(kind);
  if (simple !== undefined) return { letter: simple };
  const codePoint = Number.parseInt(sequence.slice(kind in digitsOf ? 2 : 1), kind in digitsOf ? 16 : 8);
  if (Number.isNaN(codePoint)) return { letter: "", bad: "unable to unescape string" };
  if (codePoint > 0x10_ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return { letter: "", bad: "invalid unicode code point" };
  return { letter: String.fromCodePoint(codePoint) };
}
