import type { Scenario, Step } from "../../exchange.ts";

const ask = (path: string, accept = "application/json"): Step => ({ method: "GET", path, headers: { accept } });
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** What a server says of what it serves. */
export const discoveryScenarios: readonly Scenario[] = [
  {
    name: "O1 groups and resources",
    steps: [
      ask("/api"),
      ask("/api/"),
      ask("/apis"),
      ask("/api/v1"),
      ask("/apis/apps"),
      ask("/apis/apps/v1"),
      ask("/apis/autoscaling"),
      ask("/apis/autoscaling/v1"),
      ask("/apis/autoscaling/v2"),
      ask("/apis/authorization.k8s.io/v1"),
      ask("/apis/batch/v1"),
      ask("/apis/coordination.k8s.io/v1"),
      ask("/apis/apiextensions.k8s.io/v1"),
      ask("/apis/rbac.authorization.k8s.io/v1"),
      ask("/apis/events.k8s.io/v1/"),
      ask("/apis/policy/v1"),
    ],
  },
  {
    name: "O2 all at once",
    steps: [
      ask("/api", aggregated),
      ask("/apis", `${aggregated},application/json`),
      ask("/api", `application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json`),
      ask("/api", "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList"),
      ask("/apis/apps/v1", `${aggregated},application/json`),
      ask("/apis/apps/v1", aggregated),
    ],
  },
];
