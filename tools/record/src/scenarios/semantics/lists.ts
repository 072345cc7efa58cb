import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const path = "/api/v1/namespaces/lists/configmaps";
const maps = callsTo(path);
const pods = callsTo("/api/v1/namespaces/lists/pods");
const secrets = callsTo("/api/v1/namespaces/lists/secrets");
const create = (name: string, labels?: Readonly<Record<string, string>>): Step =>
  maps.create({ metadata: { name, ...(labels === undefined ? {} : { labels }) } });
const five: readonly Step[] = ["a", "b", "c", "d", "e"].map((name) => create(name, { name, tier: name < "c" ? "front" : "back" }));

/** Lists, pages, selectors and resource versions. */
export const listScenarios: readonly Scenario[] = [
  {
    name: "R2 R9 lists carry a revision, and no type on their items",
    steps: [
      maps.list(),
      pods.list(),
      callsTo("/apis/apps/v1/namespaces/lists/deployments").list(),
      create("b"),
      create("a"),
      create("a-b"),
      create("a.b"),
      maps.list(),
      maps.remove("a"),
      maps.list("?resourceVersion="),
    ],
  },
  {
    name: "R3 writes that change nothing do not count",
    steps: [
      create("a"),
      maps.patch("a", { data: { k: "v" } }),
      maps.patch("a", { data: { k: "v" } }),
      maps.patch("a", {}),
      maps.patch("a", [], "json"),
      maps.patch("a", { data: { k: "v" } }, "strategic"),
      maps.replace("a", { metadata: { name: "a" }, data: { k: "v" } }),
      maps.get("a"),
      maps.patch("a", { data: { k: "w" } }),
    ],
  },
  {
    name: "R4 get at a revision",
    steps: [
      create("a"),
      { method: "GET", path: `${path}/a?resourceVersion=0` },
      { method: "GET", path: `${path}/a?resourceVersion={{0.metadata.resourceVersion}}` },
      { method: "GET", path: `${path}/a?resourceVersion=1` },
      { method: "GET", path: `${path}/a?resourceVersion=abc` },
      { method: "GET", path: `${path}/a?resourceVersion=-1` },
    ],
  },
  {
    name: "R4 R6 get and list in the future",
    steps: [
      create("a"),
      { method: "GET", path: `${path}/a?resourceVersion=999999999` },
      maps.list("?resourceVersion=999999999"),
      maps.list("?resourceVersion=999999999&resourceVersionMatch=NotOlderThan&limit=1"),
      maps.list("?resourceVersion=999999999&resourceVersionMatch=Exact"),
    ],
  },
  {
    name: "R5 list at a revision",
    steps: [
      create("a"),
      create("b"),
      maps.patch("a", { data: { now: "changed" } }),
      maps.remove("b"),
      maps.list("?resourceVersion=0"),
      maps.list("?resourceVersion=0&limit=1"),
      maps.list("?resourceVersion={{1.metadata.resourceVersion}}"),
      maps.list("?resourceVersion={{1.metadata.resourceVersion}}&resourceVersionMatch=NotOlderThan"),
      maps.list("?resourceVersion={{1.metadata.resourceVersion}}&resourceVersionMatch=Exact"),
      maps.list("?resourceVersion={{1.metadata.resourceVersion}}&limit=5"),
      maps.list("?resourceVersion={{0.metadata.resourceVersion}}&limit=5"),
      maps.list("?resourceVersion=0&resourceVersionMatch=NotOlderThan"),
      maps.list("?resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=1"),
    ],
  },
  {
    name: "R5 options that contradict each other",
    steps: [
      maps.list("?resourceVersionMatch=Exact"),
      maps.list("?resourceVersionMatch=NotOlderThan"),
      maps.list("?resourceVersionMatch=Nope&resourceVersion=5"),
      maps.list("?resourceVersionMatch=Nope"),
      maps.list("?resourceVersionMatch=Exact&resourceVersion=0"),
      maps.list("?resourceVersionMatch=Exact&resourceVersion=1&continue=abc"),
      maps.list("?sendInitialEvents=true"),
      maps.list("?sendInitialEvents=true&resourceVersionMatch=NotOlderThan"),
      maps.list("?resourceVersion=abc"),
      maps.list("?resourceVersion=-5"),
      maps.list("?resourceVersion=1.5"),
      maps.list("?limit=abc"),
      maps.list("?limit=-1"),
      maps.list("?timeoutSeconds=x"),
      maps.list("?limit=99999999999999999999"),
    ],
  },
  {
    name: "R7 continue token",
    steps: [
      ...five,
      maps.list("?limit=2"),
      maps.list("?limit=2&continue={{5.metadata.continue}}"),
      maps.list("?limit=2&continue={{6.metadata.continue}}"),
      maps.list("?continue={{5.metadata.continue}}"),
      maps.list("?limit=5"),
      maps.list("?limit=4"),
      maps.list("?limit=500"),
    ],
  },
  {
    name: "R7 pages are all of the first page's moment",
    steps: [
      ...five,
      maps.list("?limit=2"),
      maps.remove("c"),
      create("dd"),
      maps.patch("e", { data: { after: "the first page" } }),
      maps.list("?limit=2&continue={{5.metadata.continue}}"),
      maps.list("?limit=2&continue={{9.metadata.continue}}"),
      maps.list("?limit=2"),
      maps.list("?resourceVersion=0&continue={{5.metadata.continue}}&limit=1"),
    ],
  },
  {
    name: "R7 pages of what a selector selects",
    steps: [
      ...five,
      maps.list("?limit=1&labelSelector=tier%3Dback"),
      maps.list("?limit=1&labelSelector=tier%3Dback&continue={{5.metadata.continue}}"),
      maps.list("?limit=3&labelSelector=tier%3Dback"),
      maps.list("?limit=2&labelSelector=tier%3Dfront"),
      maps.list("?limit=1&fieldSelector=metadata.name%3Dc"),
    ],
  },
  {
    name: "R7 tokens that are none",
    steps: [
      ...five.slice(0, 2),
      maps.list("?continue=nonsense"),
      maps.list("?continue=%7B%7D"),
      maps.list("?continue=e30"),
      maps.list("?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhIn0"),
      maps.list("?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIifQ"),
      maps.list("?continue=eyJ2IjoidjkiLCJydiI6MSwic3RhcnQiOiJhIn0"),
      maps.list("?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIuLi9hIn0"),
      maps.list("?limit=1"),
      maps.list("?continue={{9.metadata.continue}}&resourceVersion=5"),
    ],
  },
  {
    name: "R10 label selectors",
    steps: [
      ...five,
      create("bare"),
      ...[
        "tier=front",
        "tier==front",
        "tier!=front",
        "tier in (front,other)",
        "tier notin (front)",
        "tier",
        "!tier",
        "tier=front,name!=a",
        "name in (a,b),name notin (b)",
        "name=",
        "weight>5",
        "tier=nope",
        " tier = front ",
        "",
      ].map((selector) => maps.list(`?labelSelector=${encodeURIComponent(selector)}`)),
    ],
  },
  {
    name: "R10 label selectors that are none",
    steps: ["a b", "=", "a=b=c", "a in b", "a in (", "a in ()", "a,,b", "!", "a>b", "-a=b", "a=b!", "a=b,", "a notin", "(a)", "a<5,"].map(
      (selector) => maps.list(`?labelSelector=${encodeURIComponent(selector)}`),
    ),
  },
  {
    name: "R10 field selectors",
    steps: [
      ...five.slice(0, 3),
      secrets.create({ metadata: { name: "s" }, type: "example.com/special" }),
      ...[
        "metadata.name=a",
        "metadata.name==a",
        "metadata.name!=a",
        "metadata.name=a,metadata.name=b",
        "metadata.name=a,metadata.namespace=lists",
        "metadata.namespace=other",
        "metadata.name=",
        "metadata.name",
        "data.k=v",
        "metadata.labels=x",
        "=",
        "metadata.name>a",
        "metadata.name=a\\,b",
        "",
      ].map((selector) => maps.list(`?fieldSelector=${encodeURIComponent(selector)}`)),
      secrets.list("?fieldSelector=type%3Dexample.com/special"),
      secrets.list("?fieldSelector=type!%3Dexample.com/special"),
      secrets.list("?fieldSelector=nope%3Dx"),
      pods.list("?fieldSelector=status.phase%3DRunning"),
      pods.list("?fieldSelector=spec.nodeName%3D,spec.restartPolicy%3DAlways"),
      pods.list("?fieldSelector=spec.nope%3Dx"),
      maps.list("?labelSelector=tier%3Dfront&fieldSelector=metadata.name!%3Da"),
    ],
  },
];
