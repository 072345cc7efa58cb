import { randomBytes, randomUUID } from "node:crypto";
import type { Random } from "./random.ts";

/** The chance of the machine. */
export const systemRandom: Random = {
  next: () => Math.random(),
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
};
