/**
 * Does something so many times: once, then twice at the same time, then four times, and so on. After a batch in which anything failed, it stops and throws
 * the first failure: what the server refuses once, as for a quota, it would refuse every time.
 */
export async function slowStart(count: number, act: () => Promise<void>): Promise<void> {
  let remaining = count;
  for (let size = Math.min(1, remaining); size > 0; size = Math.min(2 * size, remaining)) {
    const outcomes = await Promise.allSettled(Array.from({ length: size }, act));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    remaining -= size;
  }
}
