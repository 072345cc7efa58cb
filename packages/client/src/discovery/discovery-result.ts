import type { ServedResource } from "./served-resource.ts";

/** What a server serves, as far as could be found out. */
export interface DiscoveryResult {
  /** In the server's order of groups, and in each group of its preference among versions. */
  readonly resources: readonly ServedResource[];
  /** Why nothing, or nothing certain, is known of some group versions, such as `metrics.k8s.io/v1`: the APIs behind them do not answer. */
  readonly failures: ReadonlyMap<string, Error>;
}
