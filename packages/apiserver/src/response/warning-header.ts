/** A header may not become longer than this, in letters; beyond it every warning is cut short. */
const mostLetters = 4096;
const mostLettersOfOne = 256;

/** Warnings as the values of `Warning` headers, each once. What no header can carry is left out. */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const texts = [...new Set(warnings)].filter((text) => text.isWellFormed() && !/\p{Cc}/u.test(text));
  const isTooMuch = texts.reduce((sum, text) => sum + [...text].length, 0) > mostLetters;
  return (isTooMuch ? shortened(texts) : texts).map((text) => asBytes(`299 - "${text.replaceAll(/["\\]/g, "\\$&")}"`));
}

function shortened(texts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0, letters = 0; index < texts.length && letters < mostLetters; index++) {
    const text = [...(texts[index] ?? "")].slice(0, mostLettersOfOne);
    kept.push(text.join(""));
    letters += text.length;
  }
  return kept;
}

/** A header is bytes, each of which Node takes for a letter of Latin-1. */
function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
