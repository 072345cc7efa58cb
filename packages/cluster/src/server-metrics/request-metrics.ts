import type { KindRegistry, RequestRecord } from "@kaji/apiserver";
import { labelsText } from "./metric-family.ts";
import type { MetricFamily } from "./metric-family.ts";
import { requestLabels } from "./request-labels.ts";
import type { RequestLabels } from "./request-labels.ts";

/** Up to how many seconds requests took, as the real server has it. */
const bounds: readonly number[] = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** Requests that are alike, but for how they were answered. */
interface RequestGroup {
  readonly labels: RequestLabels;
  /** By the status of the response. */
  readonly counts: Map<number, number>;
  /** How many took no longer than a bound, and longer than the one before. */
  readonly buckets: number[];
  measured: number;
  seconds: number;
}

/** Counts the requests of a server, and how long they took. */
export class RequestMetrics {
  readonly #groups = new Map<string, RequestGroup>();

  /** Takes one that has been answered. What goes on after its answer has begun, such as a watch, has no duration. */
  add(record: RequestRecord, kinds: KindRegistry): void {
    const labels = requestLabels(record, kinds);
    if (labels === undefined) return;
    const group = this.#groupOf(labels);
    group.counts.set(record.status, (group.counts.get(record.status) ?? 0) + 1);
    if (record.response.isLive === true) return;
    const seconds = record.durationMs / 1000;
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) group.buckets[bucket] = (group.buckets[bucket] ?? 0) + 1;
    group.measured++;
    group.seconds += seconds;
  }

  families(): readonly MetricFamily[] {
    const groups = [...this.#groups.values()];
    const [total, duration] = ["apiserver_request_total", "apiserver_request_duration_seconds"];
    const measured = groups.filter((group) => group.measured > 0);
    return [
      {
        name: total,
        type: "counter",
        help: "Requests by verb, dry run, group, version, resource, scope, component and the status of the response.",
        samples: groups.flatMap(({ labels, counts }) =>
          [...counts].map(([code, count]) => `${total}${labelsText({ code: String(code), ...labels })} ${count}`),
        ),
      },
      {
        name: duration,
        type: "histogram",
        help: "How long requests took, in seconds, but for those that go on, such as watches.",
        samples: measured.flatMap((group) => durationSamples(duration, group)),
      },
    ];
  }

  #groupOf(labels: RequestLabels): RequestGroup {
    const { verb, group, version, resource, subresource, scope, dry_run: dryRun } = labels;
    const key = `${verb} ${group} ${version} ${resource} ${subresource} ${scope} ${dryRun}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const added: RequestGroup = { labels, counts: new Map(), buckets: bounds.map(() => 0), measured: 0, seconds: 0 };
    this.#groups.set(key, added);
    return added;
  }
}

function durationSamples(name: string, { labels, buckets, measured, seconds }: RequestGroup): readonly string[] {
  let upTo = 0;
  const bucket = (le: string, count: number): string => `${name}_bucket${labelsText({ ...labels, le })} ${count}`;
  const samples = bounds.map((bound, index) => bucket(String(bound), (upTo += buckets[index] ?? 0)));
  const all = labelsText({ ...labels });
  return [...samples, bucket("+Inf", measured), `${name}_sum${all} ${seconds}`, `${name}_count${all} ${measured}`];
}
