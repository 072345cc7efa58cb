import type { MeasuredPods } from "./measured-pods.ts";

/** By how much use may differ from what it should be before anything is done. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** How use is compared with what it should be. */
export interface Measure {
  /** What these pods use together, as a part of what they should; 1 is just right. */
  ratioOf(values: ReadonlyMap<string, number>): number;
  /** What a pod may use at the most, in thousandths, of which that is not known. */
  mostOf(pod: string): number;
}

/**
 * How many replicas there should be for their use to be just right. Of what is not known the best is never assumed: to add replicas, pods count that use nothing yet, and to
 * take some away, those of which nothing is known count as fully used.
 */
export function proposedReplicas(pods: MeasuredPods, measure: Measure, current: number, tolerances: Tolerances): number {
  const ratio = measure.ratioOf(pods.values);
  const countsUnready = pods.unready.size > 0 && ratio > 1;
  if (!countsUnready && pods.missing.size === 0) {
    return isTolerated(ratio, tolerances) ? current : Math.ceil(ratio * pods.readyCount);
  }
  const assumed = new Map(pods.values);
  if (ratio < 1) for (const pod of pods.missing) assumed.set(pod, measure.mostOf(pod));
  if (ratio > 1) for (const pod of pods.missing) assumed.set(pod, 0);
  if (countsUnready) for (const pod of pods.unready) assumed.set(pod, 0);
  const careful = measure.ratioOf(assumed);
  if (isTolerated(careful, tolerances) || areOpposed(ratio, careful)) return current;
  const replicas = Math.ceil(careful * assumed.size);
  const isOpposite = (careful < 1 && replicas > current) || (careful > 1 && replicas < current);
  return isOpposite ? current : replicas;
}

/** The same by one value for all pods, such as the length of a queue: how many of them are ready does not matter if there is none. */
export function replicasByRatio(ratio: number, current: number, readyCount: () => number, tolerances: Tolerances): number {
  if (current === 0) return Math.ceil(ratio);
  return isTolerated(ratio, tolerances) ? current : Math.ceil(ratio * readyCount());
}

/** The same by one value of which each pod should have so much. */
export function replicasByShare(value: number, share: number, current: number, tolerances: Tolerances): number {
  return isTolerated(value / (share * current), tolerances) ? current : Math.ceil(value / share);
}

function isTolerated(ratio: number, { up, down }: Tolerances): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

function areOpposed(left: number, right: number): boolean {
  return (left < 1 && right > 1) || (left > 1 && right < 1);
}
