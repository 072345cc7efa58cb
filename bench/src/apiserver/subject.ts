import { readFile } from "node:fs/promises";
import type { Server } from "../load.ts";

/** A server under measurement. */
export interface Subject extends Server, AsyncDisposable {
  readonly name: string;
  /** From the start of its processes until `/readyz` was ok. */
  readonly readyMs: number;
  /** Its processes, whose memory is counted. */
  readonly pids: readonly number[];
}

/** Resident memory of all processes of a subject, in megabytes. */
export async function residentMb({ pids }: Pick<Subject, "pids">): Promise<number> {
  const sizes = await Promise.all(pids.map(residentKb));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

async function residentKb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
}
