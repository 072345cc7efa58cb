const number = "(?:0|[1-9]\\d*)";
const label = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const build = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const pattern = new RegExp(`^${number}\\.${number}\\.${number}(?:-${label}(?:\\.${label})*)?(?:\\+${build})?$`);

/** Whether a text is a version as semver.org has it: three numbers, and no `v` before them. */
export function isSemver(text: string): boolean {
  return pattern.test(text);
}
