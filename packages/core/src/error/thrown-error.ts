/**
 * What the user's code threw, as an error that is safe to read. Any value can be thrown, even one whose properties throw when read; a value that is no
 * usable error becomes the cause of one.
 */
export function thrownError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && isReadable(thrown)) return thrown;
  } catch {
    // Even to ask what it is can throw.
  }
  return new Error(`a non-error was thrown: ${described(thrown)}`, { cause: thrown });
}

function isReadable({ name, message, stack }: Error): boolean {
  return typeof name === "string" && typeof message === "string" && (stack === undefined || typeof stack === "string");
}

function described(thrown: unknown): string {
  if (typeof thrown === "function") return "a function";
  return typeof thrown === "object" && thrown !== null ? "an object" : String(thrown);
}
