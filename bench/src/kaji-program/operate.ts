import { defineController, runOperator } from "kaji";
import { Deployment } from "kaji/apps/v1";
import { Bar } from "../reconcile/bar.ts";
import type { Protocol } from "./protocol.ts";

/** Keeps a Deployment for each Bar. */
export async function operate(talk: Protocol, bars: number, concurrency: number): Promise<void> {
  const progress = new Progress(talk, bars);
  const controller = defineController(Bar, {
    owns: [Deployment],
    concurrency,
    async reconcile(bar, { apply, setStatus }) {
      progress.begin(bar.metadata);
      const labels = { bar: bar.metadata.name };
      const deployment = await apply(Deployment, {
        metadata: { name: bar.spec.deploymentName },
        spec: {
          replicas: bar.spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] } },
        },
      });
      const availableReplicas = deployment.status?.availableReplicas ?? 0;
      const isAvailable = availableReplicas >= bar.spec.replicas;
      await setStatus({
        availableReplicas,
        conditions: [
          { type: "Ready", status: isAvailable ? "True" : "False", reason: isAvailable ? "Available" : "Progressing", message: "" },
        ],
      });
      progress.end(bar.metadata);
    },
  });
  await runOperator({ name: "bar-controller", controllers: [controller] });
}

/** Tells the benchmark when the first Bar is looked at, and when all of them are as they should be. */
class Progress {
  readonly #talk: Protocol;
  readonly #bars: number;
  readonly #settled = new Set<string>();
  #hasStarted = false;

  constructor(talk: Protocol, bars: number) {
    this.#talk = talk;
    this.#bars = bars;
  }

  begin({ name, annotations }: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }): void {
    this.#talk.arrived(name, annotations);
    if (!this.#hasStarted) this.#talk.say("reconciling");
    this.#hasStarted = true;
  }

  end({ name }: { readonly name: string }): void {
    if (this.#settled.has(name)) return;
    this.#settled.add(name);
    if (this.#settled.size === this.#bars) this.#talk.say("settled");
  }
}
