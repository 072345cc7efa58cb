import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const path = "/api/v1/namespaces/watches/configmaps";
const maps = callsTo(path);
const create = (name: string, labels?: Readonly<Record<string, string>>): Step =>
  maps.create({ metadata: { name, ...(labels === undefined ? {} : { labels }) } });
/** A watch that is open while the next steps are made. */
const watch = (query: string, accept?: string): Step => ({
  method: "GET",
  path: `${path}?watch=true${query}`,
  live: true,
  ...(accept === undefined ? {} : { headers: { accept } }),
});
/** A watch that ends by itself. */
const glance = (query: string): Step => ({ method: "GET", path: `${path}?watch=1&timeoutSeconds=1${query}` });
const initial = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

/** Watches. */
export const watchScenarios: readonly Scenario[] = [
  {
    name: "W1 W2 a watch without a revision begins with what is there",
    steps: [
      create("a"),
      watch(""),
      watch("&resourceVersion=0"),
      create("b"),
      maps.patch("a", { data: { k: "v" } }),
      maps.remove("a"),
      maps.remove("b"),
    ],
  },
  {
    name: "W2 a watch from a revision has what came after it",
    steps: [
      create("a"),
      create("b"),
      maps.patch("a", { data: { k: "v" } }),
      watch("&resourceVersion={{0.metadata.resourceVersion}}"),
      watch("&resourceVersion={{2.metadata.resourceVersion}}"),
      maps.remove("b"),
      create("c"),
    ],
  },
  {
    name: "W3 a watch from a revision that is to come, or none",
    steps: [create("a"), glance("&resourceVersion=999999999"), glance("&resourceVersion=abc"), glance("&resourceVersion=-1")],
  },
  {
    name: "W4 watch list ends with a bookmark",
    steps: [
      create("a"),
      create("b"),
      watch(`${initial}&allowWatchBookmarks=true`),
      watch(`${initial}&allowWatchBookmarks=true&resourceVersion=0`),
      watch(`${initial}&allowWatchBookmarks=true&resourceVersion={{1.metadata.resourceVersion}}`),
      watch(initial),
      watch(`${initial}&allowWatchBookmarks=true&labelSelector=none%3Dsuch`),
      maps.patch("a", { data: { k: "v" } }),
    ],
  },
  {
    name: "W4 initial events may be refused, and declined",
    steps: [
      create("a"),
      watch("&sendInitialEvents=true"),
      watch("&sendInitialEvents=true&resourceVersionMatch=Exact"),
      watch("&sendInitialEvents=false"),
      watch("&resourceVersionMatch=NotOlderThan"),
      watch("&resourceVersionMatch=Exact&resourceVersion=5"),
      watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan"),
      watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0&allowWatchBookmarks=true"),
      watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={{0.metadata.resourceVersion}}"),
      watch(`${initial}&continue=abc`),
      watch("&continue=abc"),
      watch("&limit=1"),
      create("b"),
    ],
  },
  {
    name: "W6 entering and leaving a selection",
    steps: [
      create("a", { on: "yes" }),
      create("b"),
      watch("&labelSelector=on%3Dyes"),
      watch("&labelSelector=on%3Dyes&resourceVersion={{1.metadata.resourceVersion}}"),
      watch("&fieldSelector=metadata.name%3Db"),
      watch("&fieldSelector=metadata.name!%3Da&resourceVersion={{1.metadata.resourceVersion}}"),
      maps.patch("b", { metadata: { labels: { on: "yes" } } }),
      maps.patch("b", { data: { k: "v" } }),
      maps.patch("a", { metadata: { labels: { on: "no" } }, data: { gone: "from it" } }),
      maps.patch("a", { data: { not: "seen" } }),
      maps.remove("b"),
      maps.remove("a"),
    ],
  },
  {
    name: "W6 deletion with finalizers is seen as a change and an end",
    steps: [
      maps.create({ metadata: { name: "held", finalizers: ["example.com/hold"] } }),
      watch("&resourceVersion={{0.metadata.resourceVersion}}"),
      maps.remove("held"),
      maps.patch("held", { metadata: { finalizers: null } }),
    ],
  },
  {
    name: "W7 writes that change nothing are not seen",
    steps: [
      create("a"),
      watch("&resourceVersion={{0.metadata.resourceVersion}}"),
      maps.patch("a", {}),
      maps.create({ metadata: { name: "dry" } }, "?dryRun=All"),
      maps.patch("a", { data: { k: "v" } }),
      maps.patch("a", { data: { k: "v" } }),
      { method: "DELETE", path: `${path}/a?dryRun=All` },
      maps.replace("a", { metadata: { name: "a" }, data: { k: "w" } }),
    ],
  },
  {
    name: "W8 a watch ends when its time is over",
    steps: [
      create("a"),
      glance(""),
      glance("&allowWatchBookmarks=true"),
      glance("&resourceVersion={{0.metadata.resourceVersion}}"),
      glance("&fieldSelector=metadata.name%3Dnope"),
    ],
  },
  {
    name: "W8 options that are refused",
    steps: [
      { method: "GET", path: `${path}?watch=true&timeoutSeconds=abc` },
      { method: "GET", path: `${path}?watch=true&labelSelector=a%20b` },
      { method: "GET", path: `${path}?watch=true&fieldSelector=data.k%3Dv` },
      { method: "GET", path: "/apis/authorization.k8s.io/v1/subjectaccessreviews?watch=true" },
    ],
  },
  {
    name: "W9 a watch of tables has the heads in its first event alone",
    steps: [
      create("a"),
      watch("", "application/json;as=Table;v=v1;g=meta.k8s.io"),
      watch("&includeObject=None", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"),
      watch("&includeObject=Object&resourceVersion={{0.metadata.resourceVersion}}", "application/json;as=Table;v=v1;g=meta.k8s.io"),
      watch(`${initial}&allowWatchBookmarks=true`, "application/json;as=Table;v=v1;g=meta.k8s.io"),
      create("b"),
      maps.remove("a"),
    ],
  },
  {
    name: "W9 X3 a watch of metadata",
    steps: [
      create("a"),
      watch("", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"),
      watch(`${initial}&allowWatchBookmarks=true`, "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"),
      maps.patch("a", { data: { k: "v" } }),
      maps.remove("a"),
    ],
  },
  {
    name: "W1 a watch across namespaces, and of one object",
    steps: [
      create("a"),
      { method: "GET", path: "/api/v1/configmaps?watch=true&fieldSelector=metadata.namespace%3Dwatches", live: true },
      { method: "GET", path: `${path}?watch=true&fieldSelector=metadata.name%3Da`, live: true },
      { method: "GET", path: "/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Dwatches", live: true },
      { method: "GET", path: `/api/v1/namespaces/watches/pods?watch=true${initial}&allowWatchBookmarks=true`, live: true },
      maps.patch("a", { data: { k: "v" } }),
      create("b"),
    ],
  },
];
