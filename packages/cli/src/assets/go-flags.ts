/** Flags as a program in Go takes them, each with all its values. */
export type GoFlags = ReadonlyMap<string, readonly string[]>;

/** `--name=value`, `--name value` and `--name`, which means `true`; one dash will do, too. */
export function parseGoFlags(parameters: readonly string[]): GoFlags {
  const flags = new Map<string, string[]>();
  for (let index = 0; index < parameters.length; index++) {
    const [, name = "", value] = /^--?([^=-][^=]*)(?:=([^]*))?$/.exec(parameters[index] ?? "") ?? [];
    if (name === "") continue;
    const next = parameters[index + 1];
    const follows = value === undefined && next !== undefined && !next.startsWith("-");
    if (follows) index++;
    flags.set(name, [...(flags.get(name) ?? []), value ?? (follows ? next : "true")]);
  }
  return flags;
}

/** The value of a flag that counts, which is the last one; undefined when there is none, or an empty one. */
export function flagValue(flags: GoFlags, name: string): string | undefined {
  const value = flags.get(name)?.at(-1);
  return value === "" ? undefined : value;
}

/** All values of a flag that is a list, such as `--a=b,c --a=d`. */
export function flagList(flags: GoFlags, name: string): readonly string[] {
  return (flags.get(name) ?? []).flatMap((value) => value.split(",")).filter((value) => value !== "");
}
