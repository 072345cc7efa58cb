/** How many objects controllers reconcile at once, as the user of an operator decides it. */
export interface Concurrency {
  /** Of those that are not named. Undefined: as each says itself. */
  readonly others: number | undefined;
  readonly byController: ReadonlyMap<string, number>;
}

/** Reads `4`, `bar=4,baz=2` or `1,bar=4`; throws for a name that is of none of the controllers. */
export function parseConcurrency(text: string, controllers: readonly string[]): Concurrency {
  let others: number | undefined;
  const byController = new Map<string, number>();
  for (const part of text.split(",")) {
    const at = part.lastIndexOf("=");
    if (at < 0) {
      others = parseCount(part);
      continue;
    }
    const name = part.slice(0, at).trim();
    if (!controllers.includes(name)) throw new TypeError(`there is no controller ${JSON.stringify(name)}, only ${controllers.join(", ")}`);
    byController.set(name, parseCount(part.slice(at + 1)));
  }
  return { others, byController };
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new TypeError(`${JSON.stringify(text)} is not a whole number from 1 up`);
  return count;
}
