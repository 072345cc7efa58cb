/** Tells a test of what it surely does not mean. */
export function emitWarning(text: string): void {
  process.emitWarning(text, "TestClusterWarning");
}
