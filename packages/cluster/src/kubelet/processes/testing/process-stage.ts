import assert from "node:assert/strict";
import { ManualClock } from "@kaji/core/testing";
import type { Container, Pod } from "@kaji/types/core/v1";
import type { RunState, StartedRun } from "../../pod-runtime.ts";
import { SimulatedRuntime } from "../../simulated-runtime.ts";
import { imagePrograms } from "../image-programs.ts";
import type { CommandLookup } from "../image-programs.ts";
import type { ProbeTarget } from "../probe-target.ts";
import { ProcessRuntime } from "../process-runtime.ts";
import type { ProcessEnd, ProcessRequest } from "../spawn-process.ts";
import { objectsOf } from "./objects-of.ts";
import type { GivenObjects } from "./objects-of.ts";

/** A process that ends when a test says so. */
export interface ScriptedProcess extends ProcessRequest {
  readonly signals: readonly string[];
  end(end: ProcessEnd): void;
}

/** A runtime whose processes are played by a test. */
export class ProcessStage implements AsyncDisposable {
  readonly clock: ManualClock = new ManualClock();
  readonly processes: ScriptedProcess[] = [];
  /** How what is looked at answers. */
  isWell = true;
  readonly looks: string[] = [];
  changes = 0;
  readonly runtime: ProcessRuntime;

  readonly notes: string[] = [];

  constructor(given: GivenObjects = {}, commands?: CommandLookup) {
    this.runtime = new ProcessRuntime({
      programs: imagePrograms({ "example.com/web": ["/opt/web"] }),
      ...(commands === undefined ? {} : { commands }),
      others: new SimulatedRuntime(this.clock),
      objects: objectsOf(given),
      issueToken: async ({ metadata }, { audience = "server" }) => `token of ${metadata.name} for ${audience}`,
      server: "https://127.0.0.1:6443",
      clock: this.clock,
      reach: (address) => address.replace(/^10\./, "127."),
      variables: new Map([["PATH", "/bin"]]),
      hasPrivateRoots: false,
      spawn: (request) => {
        const ended = Promise.withResolvers<ProcessEnd>();
        const signals: string[] = [];
        const kill = (signal: string): void => {
          signals.push(signal);
          if (signal === "SIGKILL") ended.resolve({ exitCode: 137 });
        };
        this.processes.push({ ...request, signals, end: ended.resolve });
        return { begun: Promise.resolve(), ended: ended.promise, kill, usage: () => undefined };
      },
      check: async (target) => {
        this.looks.push(placeOf(target));
        return this.isWell ? { type: "Well" } : { type: "Unwell", why: "it is not well" };
      },
    });
    this.runtime.onChange(() => this.changes++);
    this.runtime.onNote((_pod, { reason, message }) => this.notes.push(`${reason}: ${message}`));
  }

  run(container: Partial<Container> = {}, restartCount = 0, spec: Partial<Pod["spec"]> = {}): StartedRun {
    const whole: Container = { name: "main", image: "example.com/web:1", ...container };
    const pod: Pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web", namespace: "default", uid: "u" },
      spec: { containers: [whole], ...spec },
      status: { podIP: "10.244.0.2" },
    };
    const nowMs = this.clock.now();
    return { pod, container: whole, role: "Main", restartCount, nowMs, startedAtMs: nowMs };
  }

  /** Starts a run, and lets it come to where it waits. */
  async start(run: StartedRun): Promise<ScriptedProcess> {
    this.runtime.observe(run);
    await this.clock.advance(0);
    const process = this.processes.at(-1);
    assert.ok(process);
    return process;
  }

  /** How a run is doing, once all has been done that can be at this moment. */
  async state(run: StartedRun): Promise<RunState> {
    await this.clock.advance(0);
    return this.runtime.observe(run);
  }

  [Symbol.asyncDispose](): Promise<void> {
    const disposed = this.runtime[Symbol.asyncDispose]();
    return this.clock.advance(2000).then(() => disposed);
  }
}

function placeOf(target: ProbeTarget): string {
  if (target.type === "Http") return target.url;
  return target.type === "Command" ? target.words.join(" ") : `${target.host}:${target.port}`;
}

/** How a container is doing of which nobody has anything to say against. */
export const ready: RunState = { type: "Running", isStarted: true, isReady: true, nextChangeMs: undefined };
