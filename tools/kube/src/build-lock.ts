import { mkdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@kaji/core";

const pollMs = 500;

/** What waiting for a lock needs. */
export interface BuildLockOptions {
  readonly clock: Clock;
  /** Called once, when another process is found to hold the lock. */
  readonly onWait: (ownerPid: number) => void;
}

/**
 * Waits until nobody alive holds the lock file, then holds it until disposed of.
 *
 * The file is a symbolic link whose target is its owner's pid: it comes into being whole, or not at all. The lock of a dead owner
 * is taken over. The lock only saves work: in the instant in which two processes take over the same dead lock both may build, and
 * since each renames finished files into place, no harm is done.
 */
export async function acquireBuildLock(path: string, { clock, onWait }: BuildLockOptions): Promise<AsyncDisposable> {
  await mkdir(dirname(path), { recursive: true });
  for (let waits = 0; !(await tryCreate(path));) {
    const owner = await readOwner(path);
    if (owner === undefined) continue;
    if (isAlive(owner)) {
      if (waits++ === 0) onWait(owner);
      await clock.sleep(pollMs);
    } else {
      await rm(path, { force: true });
    }
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

async function tryCreate(path: string): Promise<boolean> {
  try {
    await symlink(String(process.pid), path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Undefined when the lock is gone meanwhile; not a number when the file is none of ours. */
async function readOwner(path: string): Promise<number | undefined> {
  try {
    return Number(await readlink(path));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    if (hasCode(error, "EINVAL")) return Number.NaN;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
