import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const classes = callsTo("/apis/resource.k8s.io/v1/deviceclasses");
const claims = callsTo("/apis/resource.k8s.io/v1/namespaces/group-kinds/resourceclaims");
const templates = callsTo("/apis/resource.k8s.io/v1/namespaces/group-kinds/resourceclaimtemplates");
const slices = callsTo("/apis/resource.k8s.io/v1/resourceslices");

const one = { name: "one", exactly: { deviceClassName: "gpu" } };
const either = {
  name: "either",
  firstAvailable: [
    { name: "big", deviceClassName: "big" },
    { name: "small", deviceClassName: "small", count: 2 },
  ],
};

/** The kinds of resource.k8s.io. */
export const resourceScenarios: readonly Scenario[] = [
  {
    name: "C13 C14 D2 X2 claims of devices",
    steps: [
      classes.create({ metadata: { name: "group-gpu" }, spec: { selectors: [{ cel: { expression: "true" } }] } }),
      classes.table("group-gpu"),
      classes.patch("group-gpu", { spec: { config: [{ opaque: { driver: "d.example.com", parameters: { a: [] } } }] } }),
      classes.create({ metadata: { name: "group-bad" }, spec: { selectors: [{}], config: [{}, { opaque: { driver: "A_b" } }] } }),
      classes.remove("group-gpu"),
      claims.create({
        metadata: { name: "gpu" },
        spec: {
          devices: {
            requests: [
              one,
              either,
              { name: "all", exactly: { deviceClassName: "x", allocationMode: "All", tolerations: [{ operator: "Exists" }] } },
            ],
            constraints: [{ matchAttribute: "example.com/a", requests: ["one", "either/big"] }],
          },
        },
      }),
      claims.create({ metadata: { name: "none" }, spec: {} }),
      claims.table(),
      claims.patch("gpu/status", {
        metadata: { labels: { a: "b" } },
        status: { reservedFor: [{ resource: "pods", name: "p", uid: "1" }] },
      }),
      claims.create({
        metadata: { name: "bad" },
        spec: {
          devices: {
            requests: [
              { name: "A" },
              { name: "x", exactly: {}, firstAvailable: [{ name: "y", deviceClassName: "z" }] },
              { name: "x", exactly: { deviceClassName: "A_b", allocationMode: "Odd" } },
              { name: "n", exactly: { deviceClassName: "c", count: -1 } },
            ],
            constraints: [{}, { matchAttribute: "plain", requests: ["nobody", "a/b/c"] }],
          },
        },
      }),
      claims.remove("gpu"),
      templates.create({ metadata: { name: "t" }, spec: { metadata: { labels: { a: "b" } }, spec: { devices: { requests: [one] } } } }),
      templates.table(),
      templates.create({ metadata: { name: "bad" }, spec: { spec: { devices: { requests: [{ name: "" }] } } } }),
      templates.remove("t"),
    ],
  },
  {
    name: "C13 C14 D2 X2 resource slice",
    steps: [
      slices.create({
        metadata: { name: "group-slice" },
        spec: {
          driver: "d.example.com",
          nodeName: "group-node",
          pool: { name: "p", resourceSliceCount: 1 },
          devices: [{ name: "d0" }, { name: "d1", attributes: { model: { string: "x" } }, capacity: { memory: { value: "1024Mi" } } }],
        },
      }),
      slices.table("group-slice"),
      slices.list("?fieldSelector=spec.nodeName=group-node,spec.driver=d.example.com"),
      slices.patch("group-slice", { spec: { pool: { generation: 2 } } }),
      slices.patch("group-slice", { spec: { driver: "e.example.com", nodeName: "other", pool: { name: "q" } } }),
      slices.create({ metadata: { name: "group-bad" }, spec: {} }),
      slices.create({
        metadata: { name: "group-bad" },
        spec: {
          driver: "A_b",
          nodeName: "",
          allNodes: true,
          perDeviceNodeSelection: true,
          pool: { name: "A/b", generation: -1 },
          devices: [],
        },
      }),
      slices.remove("group-slice"),
    ],
  },
];
