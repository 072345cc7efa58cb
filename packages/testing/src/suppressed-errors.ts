/**
 * Has a `SuppressedError` show the errors that it is made of as its cause: a test that fails on a cluster that fails at its end ends with one, and the runner of Node prints neither of the two.
 */
export function showSuppressedErrors(): void {
  if (Object.hasOwn(SuppressedError.prototype, "cause")) return;
  // oxlint-disable-next-line no-extend-native -- the engine makes these errors, and nobody sees one before the runner does
  Object.defineProperty(SuppressedError.prototype, "cause", {
    configurable: true,
    get(this: SuppressedError): Error | undefined {
      if (this === SuppressedError.prototype) return undefined;
      const both = new AggregateError([this.suppressed, this.error], "first the test failed, and then the end of its cluster");
      both.stack = `${both.name}: ${both.message}`;
      return both;
    },
  });
}
