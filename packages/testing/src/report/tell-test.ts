/** Says a line in the output of a test, where a test runner shows it. A program that is no test says what it wants by itself. */
export function tellTest(line: string): void {
  const { NODE_TEST_CONTEXT, VITEST, JEST_WORKER_ID } = process.env;
  if ((NODE_TEST_CONTEXT ?? VITEST ?? JEST_WORKER_ID) !== undefined) process.stdout.write(`${line}\n`);
}
