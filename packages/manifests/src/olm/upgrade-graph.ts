/** A version in a channel. */
export interface UpgradeEntry {
  readonly name: string;
  /** What it is an upgrade of; empty for the first. */
  readonly replaces: string;
  /** Versions that an upgrade to this one may come from as well, and that are no longer installed. */
  readonly skips: readonly string[];
}

/** What there is against the upgrades of a channel: from one newest version, each replacing the one before, all that are not skipped must be reached. */
export function upgradeProblems(entries: readonly UpgradeEntry[]): readonly string[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  if (entries.length === 0) return ["must have a version"];
  if (byName.size < entries.length) return ["has a version twice"];
  if (entries.some(({ skips }) => skips.includes(""))) return ["skips a version without a name"];
  const left = new Set(entries.flatMap(({ replaces, skips }) => [replaces, ...skips]));
  const [newest, ...others] = entries.filter(({ name }) => !left.has(name));
  if (newest === undefined) return ["has no newest version: each is replaced or skipped by another"];
  if (others.length > 0) {
    return [
      `has more than one newest version: ${[newest, ...others].map(({ name }) => name).join(", ")}; each but one must be replaced or skipped`,
    ];
  }
  const skipped = new Set(entries.flatMap(({ skips }) => skips));
  const reached = new Set<string>();
  for (let entry: UpgradeEntry | undefined = newest; entry !== undefined;) {
    if (reached.has(entry.name)) return [`comes back to ${entry.name} from version to version`];
    reached.add(entry.name);
    entry = skipped.has(entry.replaces) ? undefined : byName.get(entry.replaces);
  }
  const stranded = entries.map(({ name }) => name).filter((name) => !reached.has(name) && !skipped.has(name));
  return stranded.length === 0 ? [] : [`leaves ${stranded.join(", ")} without an upgrade`];
}
