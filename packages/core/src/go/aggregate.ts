/** Several messages as Go's `Aggregate` of errors tells them: alone as it is, more of them in brackets, each once. */
export function joinMessages(messages: readonly string[]): string {
  const [only = "", ...others] = new Set(messages);
  return others.length === 0 ? only : `[${[only, ...others].join(", ")}]`;
}
