import type { Moment } from "./moments.ts";

/** What happens again and again is told once, with how often, in blocks of so many moments at most. */
const longestBlock = 4;

/** So many lines before it happen again. */
export interface Again {
  readonly type: "Again";
  readonly lines: number;
  readonly times: number;
  readonly untilMs: number;
}

/** A line of a timeline: something that happened, or that what stands before it happened again. */
export type Line = Moment | Again;

/** Folds what is repeated at once; `kept` is told in any case. */
export function folded(moments: readonly Moment[], kept: Moment | undefined): readonly Line[] {
  const shapes = moments.map((moment) => (moment === kept ? "kept" : shapeOf(moment)));
  const lines: Line[] = [];
  for (let at = 0; at < moments.length;) {
    const block = repeatedAt(shapes, at);
    lines.push(...moments.slice(at, at + block.length));
    at += block.length * (block.times + 1);
    const last = moments[at - 1];
    if (block.times > 0 && last !== undefined) lines.push({ type: "Again", lines: block.length, times: block.times, untilMs: last.atMs });
  }
  return lines;
}

/** The block that begins here and is repeated so that most is folded, where that is worth a line. */
function repeatedAt(shapes: readonly string[], at: number): { readonly length: number; readonly times: number } {
  let best = { length: 1, times: 0 };
  for (let length = 1; length <= longestBlock; length++) {
    let end = at + length;
    while (end < shapes.length && shapes[end] === shapes[end - length]) end++;
    const times = Math.floor((end - at) / length) - 1;
    if (times * length >= 2 && times * length > best.times * best.length) best = { length, times };
  }
  return best;
}

/** What happens, without what differs each time: versions, names that the server made up, and numbers in what is written. */
function shapeOf({ who, what, written, stale }: Moment): string {
  const steady = (text: string): string => text.replaceAll(/@\d+/g, "@");
  return [who, steady(what), written.replaceAll(/\d+/g, "0"), ...stale.map(({ seen, truth }) => steady(`${seen} ${truth}`))].join("\n");
}
