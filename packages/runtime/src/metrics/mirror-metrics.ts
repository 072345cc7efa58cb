import { formatKind } from "@kaji/core";
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { MirroredKind, RunningController } from "../controller/running-controller.ts";

/** What controllers and webhooks mirror. Those of one operator share their mirrors: of what several mirror in the same way there is one, which is told for each of them. */
export class MirrorMetrics {
  /** By name. */
  readonly #mirroring = new Map<string, Pick<RunningController, "mirrored">>();

  constructor(registry: Registry) {
    this.#gauge(registry, "kaji_mirror_objects", "How many objects of a kind are mirrored.", ({ stats }) => stats.objects);
    this.#gauge(registry, "kaji_mirror_bytes", "How much memory they take.", ({ stats }) => stats.reservedBytes);
    this.#gauge(
      registry,
      "kaji_mirror_failing",
      "How many of the mirrors of a kind are failing to list or watch it.",
      ({ state, isAbsent }) => (state.type === "Failing" && !isAbsent ? 1 : 0),
    );
  }

  /** Measures what a controller mirrors, or what `webhooks` do. */
  track(name: string, part: Pick<RunningController, "mirrored">): void {
    this.#mirroring.set(name, part);
  }

  #gauge(registry: Registry, name: string, help: string, read: (mirrored: MirroredKind) => number): void {
    const mirroring = this.#mirroring;
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ["controller", "kind"],
      registers: [registry],
      collect() {
        gauge.reset();
        for (const [controller, { mirrored }] of mirroring) {
          for (const each of mirrored) gauge.inc({ controller, kind: formatKind(each.resource) }, read(each));
        }
      },
    });
  }
}
