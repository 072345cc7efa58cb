import type { Clock } from "@kaji/core";

/** Where progress is shown; `process.stderr` is one. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows that the work goes on: on a terminal one line with the elapsed time, otherwise one line when it begins. */
export async function withProgress<T>(label: string, output: ProgressOutput, clock: Clock, work: () => Promise<T>): Promise<T> {
  if (output.isTTY !== true) {
    output.write(`${label}\n`);
    return work();
  }
  const startMs = clock.monotonic();
  const draw = (): Disposable => {
    output.write(`\r\x1b[K${label} ${formatElapsed(clock.monotonic() - startMs)}`);
    return clock.timer(1000, () => (timer = draw()));
  };
  let timer = draw();
  try {
    return await work();
  } finally {
    timer[Symbol.dispose]();
    output.write("\n");
  }
}

/** `42 s` or `8 min 31 s`. */
export function formatElapsed(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
