/** The tests that a table in Markdown has as passed within so many seconds, by their names. */
export function knownPasses(table: string, withinSeconds: number): readonly string[] {
  return table.split("\n").flatMap((line) => {
    const [, name = "", result, seconds] = /^\| (.*?) +\| (\w+) +\| ([\d.]+) +\|/.exec(line) ?? [];
    return result === "passed" && Number(seconds) <= withinSeconds ? [plainName(name)] : [];
  });
}

/** A name as it was before it was written into a table. */
export function plainName(name: string): string {
  return name.replaceAll(/\\([|*])/g, "$1");
}

/** A name without its tags, such as `[Conformance]`, of which a table need not have all. */
export function withoutTags(name: string): string {
  return name.replaceAll(/ \[[^\]]+\]/g, "");
}

/** A regular expression, as Go has them, for tests of these names, whatever their tags. */
export function focusOn(names: readonly string[]): string {
  return names
    .map((name) =>
      withoutTags(name)
        .split(" ")
        .map(escaped)
        .join(String.raw`( \[[^\]]+\])* `),
    )
    .join("|");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}
