/**
 * What user's code threw, as an error that can be read without harm. Anything can be thrown, also what throws itself when it is looked at; what is no
 * error, or a broken one, becomes the cause of one.
 */
export function thrownError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && isReadable(thrown)) return thrown;
  } catch {
    // Even to ask what it is can throw.
  }
  return new Error(`what was thrown is no error: ${described(thrown)}`, { cause: thrown });
}

function isReadable({ name, message, stack }: Error): boolean {
  return typeof name === "string" && typeof message === "string" && (stack === undefined || typeof stack === "string");
}

function described(thrown: unknown): string {
  if (typeof thrown === "function") return "a function";
  return typeof thrown === "object" && thrown !== null ? "an object" : String(thrown);
}
