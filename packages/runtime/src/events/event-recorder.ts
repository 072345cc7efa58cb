import type { KubeObject } from "@kaji/core";

/** Records what happened to an object, for users of `kubectl describe`. It never waits and never throws. */
export interface EventRecorder {
  event(about: KubeObject, event: RecordedEvent): void;
}

/** What happened. */
export interface RecordedEvent {
  readonly type: "Normal" | "Warning";
  /** Why, in one CamelCase word that a program can tell apart, such as `Synced`. */
  readonly reason: string;
  readonly message: string;
  /** What was done, in one CamelCase word. Default: the reason. */
  readonly action?: string;
  /** Another object that had a part in it. */
  readonly related?: KubeObject;
}
