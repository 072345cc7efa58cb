/** A number with its noun, such as `1 run` or `3 runs`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
