/** A part of a program that runs for as long as the program does. */
export interface Runnable {
  /** How it is called in logs and errors. */
  readonly name: string;
  /** Resolves when what is started after it can rely on it. Default: as soon as it runs. It never rejects: `run` does. */
  readonly ready?: Promise<unknown> | undefined;
  /** What of it is under way, to be named when it does not stop in time; empty when nothing is known. */
  readonly underWay?: readonly string[] | undefined;
  /** Works until it is aborted; settles when nothing of it is left. Whatever it throws ends the program. */
  run(signal: AbortSignal): Promise<void>;
}
