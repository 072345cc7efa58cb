/** The packages through which a request of an operator goes, so that lines of theirs are not where it comes from. */
const machinery: readonly string[] = ["@kaji/core", "@kaji/client", "@kaji/informer", "@kaji/runtime"].map(
  (name) => new URL("..", import.meta.resolve(name)).href,
);

/** `fetch` calls its connection from far below. */
const deepest = 60;

/** Remembers who calls, deep enough to reach past the machinery. It costs little until its stack is read. */
export function callTrace(): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = deepest;
  try {
    return new Error("called");
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The line of the operator's own code from which an error comes, as Node writes it; undefined when there is none. `not` are files that are not the operator's either. */
export function callSite({ stack = "" }: Error, not: readonly string[] = []): string | undefined {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  const isForeign = (frame: string): boolean =>
    !frame.includes("file://") || [...machinery, ...not, import.meta.url].some((place) => frame.includes(place));
  return frames.find((frame) => !isForeign(frame))?.trim();
}
