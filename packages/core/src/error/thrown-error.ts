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
  const error = new Error(`a non-error was thrown: ${described(thrown)}`, { cause: thrown });
  // Where it was thrown is not known, and this is not the place.
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function isReadable({ name, message, stack }: Error): boolean {
  return typeof name === "string" && typeof message === "string" && (stack === undefined || typeof stack === "string");
}

function described(thrown: unknown): string {
  if (typeof thrown === "function") return "a function";
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  try {
    return "message" in thrown && typeof thrown.message === "string" ? `an object with the message ${thrown.message}` : "an object";
  } catch {
    return "an object";
  }
}
