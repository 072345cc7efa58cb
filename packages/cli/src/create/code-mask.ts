/**
 * The text with everything in comments and between quotes blanked out, at the same length: what is found in it is code, at the place it has in the text.
 * The quotes themselves stay. Regular expressions are not recognized.
 */
export function maskedCode(text: string): string {
  return text.replaceAll(token, (found) => {
    const isQuoted = /^["'`]/.test(found);
    const inner = isQuoted ? found.slice(1, -1) : found;
    const blank = inner.replaceAll(/[^\n]/g, " ");
    return isQuoted ? `${found.charAt(0)}${blank}${found.at(-1)}` : blank;
  });
}

const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;

/** Where the bracket at this place is closed; -1 if it is not. */
export function closingBracket(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    const character = code.charAt(at);
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character) && --depth === 0) return at;
  }
  return -1;
}
