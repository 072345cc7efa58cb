/** No more at the same time: the server answers them one by one, and each that waits holds all it is made of. */
const largestBatch = 16;

/**
 * Does something so many times: once, then twice at the same time, then four times, and so on up to a limit. After a batch in which anything failed, it stops
 * and throws the first failure: what the server refuses once, as for a quota, it would refuse every time.
 */
export async function slowStart(count: number, act: () => Promise<void>): Promise<void> {
  let remaining = count;
  for (let size = Math.min(1, remaining); size > 0; size = Math.min(2 * size, largestBatch, remaining)) {
    const outcomes = await Promise.allSettled(Array.from({ length: size }, act));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    remaining -= size;
  }
}
