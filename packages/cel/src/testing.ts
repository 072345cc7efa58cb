export { recordVectors } from "./testing/vector-recorder.ts";
export type { SendJson } from "./testing/vector-recorder.ts";
export { readVectors } from "./testing/vectors.ts";
export type { CelVectors, ExpressionVector, RuleVector } from "./testing/vectors.ts";
