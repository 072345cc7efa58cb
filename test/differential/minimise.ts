/**
 * The fewest items, of those given and in their order, with which something still fails (Zeller's ddmin): no single one of them can be left
 * out. It fails with all of them.
 */
export async function minimise<T>(items: readonly T[], fails: (items: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let remaining = items;
  for (let parts = 2; remaining.length > 1;) {
    const reduced = await withoutOnePart(remaining, parts, fails);
    if (reduced !== undefined) {
      remaining = reduced;
      parts = Math.max(2, parts - 1);
    } else if (parts >= remaining.length) {
      return remaining;
    } else {
      parts = Math.min(remaining.length, parts * 2);
    }
  }
  return remaining;
}

/** The items but for the first part that can be left out; undefined when none can. */
async function withoutOnePart<T>(
  items: readonly T[],
  parts: number,
  fails: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  for (let part = 0; part < parts; part++) {
    const [start, end] = [part, part + 1].map((border) => Math.floor((border * items.length) / parts));
    const rest = items.toSpliced(start ?? 0, (end ?? 0) - (start ?? 0));
    if (await fails(rest)) return rest;
  }
  return undefined;
}
