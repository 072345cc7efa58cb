export { eventually, inTime } from "./outside/eventually.ts";
export { ManualClock } from "./outside/manual-clock.ts";
export { seededRandom } from "./outside/seeded-random.ts";
