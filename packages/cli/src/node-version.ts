/** The oldest Node that runs this program, as its package says. */
const oldest = 24;

/** Why a version of Node will not do; undefined if it does. */
export function nodeProblem(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldest) return undefined;
  return `it takes Node ${oldest} or newer, and this is ${version}; install a newer one from https://nodejs.org, or with your version manager`;
}
