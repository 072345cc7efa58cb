/** The bytes of answers to writes, for as long as somebody has the answer. */
const sources = new WeakMap<object, Uint8Array>();

/** The bytes that the answer to a write was read from; undefined of anything else. Whoever keeps a written object as text need not write it out again. */
export function answerBytes(answer: object): Uint8Array | undefined {
  return sources.get(answer);
}

/** Remembers what an answer was read from. */
export function rememberBytes(answer: unknown, bytes: Uint8Array): void {
  if (typeof answer === "object" && answer !== null) sources.set(answer, bytes);
}
