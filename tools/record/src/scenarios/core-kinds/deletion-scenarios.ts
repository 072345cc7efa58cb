import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";
import { pod, pods, podsPath } from "./pod-calls.ts";

const namespaces = callsTo("/api/v1/namespaces");
const configMaps = callsTo("/api/v1/namespaces/core-kinds/configmaps");
const controllers = callsTo("/api/v1/namespaces/core-kinds/replicationcontrollers");
const podsElsewhere = callsTo("/api/v1/namespaces/core-kinds-gone/pods");
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "main", image: "nginx" }] } };
const otherUid = "00000000-0000-0000-0000-000000000000";

/** How objects end, and what becomes of those that want to begin meanwhile. */
export const deletionScenarios: readonly Scenario[] = [
  {
    name: "D2 D8 deletion of a namespace",
    steps: [
      namespaces.create({ metadata: { name: "core-kinds-gone" } }),
      namespaces.remove("core-kinds-gone", { preconditions: { uid: otherUid } }),
      namespaces.remove("core-kinds-gone", { preconditions: { resourceVersion: "1" } }),
      namespaces.remove("core-kinds-gone", { dryRun: ["All"] }),
      namespaces.get("core-kinds-gone"),
      namespaces.remove("core-kinds-gone", { propagationPolicy: "Orphan" }),
      namespaces.remove("core-kinds-gone", { propagationPolicy: "Foreground" }),
      podsElsewhere.create(pod("late")),
      podsElsewhere.create({ metadata: { name: "Wrong" }, spec: {} }),
      {
        method: "PUT",
        path: "/api/v1/namespaces/core-kinds-gone/finalize",
        body: { metadata: { name: "core-kinds-gone" }, spec: { finalizers: [] } },
      },
      namespaces.get("core-kinds-gone"),
      namespaces.patch("core-kinds-gone", { metadata: { finalizers: null } }),
      namespaces.get("core-kinds-gone"),
      podsElsewhere.create(pod("lost")),
      podsElsewhere.create({ metadata: { name: "Wrong" }, spec: {} }),
      { method: "DELETE", path: "/api/v1/namespaces" },
    ],
  },
  {
    name: "D2 propagation and preconditions",
    steps: [
      controllers.create({ metadata: { name: "one" }, spec: { replicas: 0, selector: { app: "a" }, template } }),
      controllers.remove("one", { preconditions: { uid: otherUid } }),
      controllers.remove("one"),
      controllers.get("one"),
      controllers.patch("one", { metadata: { finalizers: null } }),
      controllers.create({ metadata: { name: "two" }, spec: { replicas: 0, selector: { app: "a" }, template } }),
      controllers.remove("two", { propagationPolicy: "Background" }),
      controllers.create({ metadata: { name: "three" }, spec: { replicas: 0, selector: { app: "a" }, template } }),
      controllers.remove("three", { propagationPolicy: "Foreground" }),
      controllers.remove("three", { propagationPolicy: "Orphan" }),
      controllers.remove("three", { propagationPolicy: "Odd" }),
      controllers.remove("three", { orphanDependents: true, propagationPolicy: "Orphan" }),
      controllers.patch("three", { metadata: { finalizers: null } }),
    ],
  },
  {
    name: "D7 deletion of several",
    steps: [
      configMaps.create({ metadata: { name: "a", labels: { keep: "no" } } }),
      configMaps.create({ metadata: { name: "b", labels: { keep: "yes" } } }),
      configMaps.create({ metadata: { name: "c", labels: { keep: "no" }, finalizers: ["example.com/hold"] } }),
      { method: "DELETE", path: "/api/v1/namespaces/core-kinds/configmaps?labelSelector=keep%3Dno" },
      configMaps.list(),
      configMaps.patch("c", { metadata: { finalizers: null } }),
      pods.create(pod("a")),
      pods.create(pod("b", { nodeName: "far-away" })),
      { method: "DELETE", path: `${podsPath}?fieldSelector=spec.nodeName%3Dfar-away&gracePeriodSeconds=5` },
      pods.list(),
      { method: "DELETE", path: podsPath, body: { gracePeriodSeconds: 0 } },
      pods.list(),
      { method: "DELETE", path: "/api/v1/namespaces/core-kinds/services" },
    ],
  },
];
