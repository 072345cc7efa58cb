import { bytesResponse } from "@kaji/apiserver";
import type { ApiResponse, ApiServer, Kind, PathHandler, ServerVersion, Storage } from "@kaji/apiserver";
import type { Clock } from "@kaji/core";
import type { HealthMetrics } from "./health-metrics.ts";
import { labelsText, metricsText } from "./metric-family.ts";
import type { MetricFamily } from "./metric-family.ts";
import type { RequestMetrics } from "./request-metrics.ts";

/** What the metrics of a server are about. */
export interface MetricsSource {
  readonly server: ApiServer;
  readonly storage: Storage;
  readonly requests: RequestMetrics;
  readonly health: HealthMetrics;
  readonly version: ServerVersion;
}

/** `/metrics`, what dashboards and alerts for the real server ask for most, and `/metrics/slis`, how its health checks went. */
export function metricsPaths({ server, storage, requests, health, version }: MetricsSource): Readonly<Record<string, PathHandler>> {
  return {
    "/metrics": () =>
      metricsResponse([
        ...requests.families(),
        ...objectFamilies(server.kinds.kinds, storage),
        buildFamily(version),
        ...useFamilies(),
        startFamily(server.clock),
      ]),
    "/metrics/slis": () => metricsResponse([...health.families(), startFamily(server.clock)]),
  };
}

function metricsResponse(families: readonly MetricFamily[]): ApiResponse {
  return bytesResponse(200, "text/plain; version=0.0.4; charset=utf-8; escaping=underscores", Buffer.from(metricsText(families)));
}

function objectFamilies(kinds: readonly Kind[], storage: Storage): readonly MetricFamily[] {
  // Reviews and the like are never stored.
  const watched = kinds.filter(({ verbs }) => verbs.includes("watch"));
  const stored = [...Map.groupBy(watched, ({ storagePrefix }) => storagePrefix).values()].flatMap(([kind]) => kind ?? []);
  const counts = stored.map(({ group, plural, storagePrefix }) => ({ group, plural, count: storage.count(storagePrefix) }));
  const help = "How many objects of a kind are stored.";
  const [objects, old] = ["apiserver_resource_objects", "apiserver_storage_objects"];
  return [
    {
      name: objects,
      type: "gauge",
      help,
      samples: counts.map(({ group, plural, count }) => `${objects}${labelsText({ group, resource: plural })} ${count}`),
    },
    {
      name: old,
      type: "gauge",
      help,
      samples: counts.map(
        ({ group, plural, count }) => `${old}${labelsText({ resource: group === "" ? plural : `${plural}.${group}` })} ${count}`,
      ),
    },
  ];
}

function buildFamily({ major, minor, gitVersion }: ServerVersion): MetricFamily {
  const name = "kubernetes_build_info";
  const labels = labelsText({ git_version: gitVersion, major, minor });
  return { name, type: "gauge", help: "Which Kubernetes this is. The value is always 1.", samples: [`${name}${labels} 1`] };
}

function useFamilies(): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  return [
    family("process_cpu_seconds_total", "counter", "Time of processors that this process has used, in seconds.", (user + system) / 1e6),
    family("process_resident_memory_bytes", "gauge", "Memory of this process, in bytes.", process.memoryUsage.rss()),
  ];
}

function startFamily(clock: Clock): MetricFamily {
  const startSeconds = clock.now() / 1000 - process.uptime();
  return family("process_start_time_seconds", "gauge", "When this process began, in seconds since 1970.", startSeconds);
}

function family(name: string, type: "counter" | "gauge", help: string, value: number): MetricFamily {
  return { name, type, help, samples: [`${name} ${value}`] };
}
