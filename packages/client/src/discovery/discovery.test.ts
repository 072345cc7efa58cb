import assert from "node:assert/strict";
import { test } from "node:test";
import { isReason, notFound } from "@kaji/core";
import type { TransportRequest } from "@kaji/core";
import { KubeClient } from "../kube-client.ts";
import { scriptedTransport } from "../testing/scripted-transport.ts";
import type { ScriptedAnswer } from "../testing/scripted-transport.ts";
import type { Discovery } from "./discovery.ts";

const scale = { subresource: "scale", responseKind: { group: "autoscaling", version: "v1", kind: "Scale" }, verbs: ["get"] };
const aggregated = {
  "/api": {
    kind: "APIGroupDiscoveryList",
    items: [{ metadata: {}, versions: [{ version: "v1", resources: [described("events", "Event", { shortNames: ["ev"] })] }] }],
  },
  "/apis": {
    kind: "APIGroupDiscoveryList",
    items: [
      {
        metadata: { name: "apps" },
        versions: [
          {
            version: "v1",
            resources: [described("deployments", "Deployment", { shortNames: ["deploy"], categories: ["all"], subresources: [scale] })],
          },
          { version: "v1beta1", resources: [described("deployments", "Deployment")] },
        ],
      },
      {
        metadata: { name: "events.k8s.io" },
        versions: [{ version: "v1", resources: [described("events", "Event"), { resource: "stubs" }] }],
      },
      { metadata: { name: "metrics.k8s.io" }, versions: [{ version: "v1", freshness: "Stale" }] },
    ],
  },
};

const plain: Readonly<Record<string, object>> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/api/v1": {
    resources: [{ name: "events", singularName: "event", namespaced: true, kind: "Event", verbs: ["get"], shortNames: ["ev"] }],
  },
  "/apis": {
    kind: "APIGroupList",
    groups: [
      {
        name: "apps",
        versions: [{ groupVersion: "apps/v1beta1" }, { groupVersion: "apps/v1" }],
        preferredVersion: { groupVersion: "apps/v1", version: "v1" },
      },
    ],
  },
  "/apis/apps/v1": {
    resources: [
      { name: "deployments", singularName: "", namespaced: true, kind: "Deployment", verbs: ["get", "list"] },
      { name: "deployments/scale", singularName: "", namespaced: true, kind: "Scale", verbs: ["get"] },
    ],
  },
};

function described(resource: string, kind: string, more: object = {}): object {
  return {
    resource,
    responseKind: { group: "", version: "", kind },
    scope: "Namespaced",
    singularResource: kind.toLowerCase(),
    verbs: ["get"],
    ...more,
  };
}

function discoveryOf(documents: Readonly<Record<string, object>>): {
  readonly client: KubeClient;
  readonly discovery: Discovery;
  readonly requests: readonly TransportRequest[];
} {
  const answer = ({ path }: TransportRequest): ScriptedAnswer => {
    const body = documents[path.split("?")[0] ?? ""];
    return body === undefined ? { status: path.endsWith("v1beta1") ? 503 : 404, body: "404 page not found" } : { body };
  };
  const { transport, requests } = scriptedTransport(answer);
  const client = new KubeClient(transport);
  return { client, discovery: client.discovery, requests };
}

test("[DISC1] aggregated discovery takes two requests", async () => {
  const { discovery, requests } = discoveryOf(aggregated);
  const { resources, failures } = await discovery.all();
  assert.equal(requests.length, 2);
  assert.match(requests[0]?.headers["accept"] ?? "", /v=v2;as=APIGroupDiscoveryList,.*v2beta1.*,application\/json$/);
  assert.deepEqual(
    resources.map(({ group, version, plural }) => `${plural}.${version}.${group}`),
    ["events.v1.", "deployments.v1.apps", "deployments.v1beta1.apps", "events.v1.events.k8s.io"],
  );
  const deployment = resources[1] ?? assert.fail();
  assert.deepEqual(
    { ...deployment },
    {
      ...{ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", singular: "deployment", listKind: "DeploymentList" },
      ...{ scope: "Namespaced", shortNames: ["deploy"], categories: ["all"], verbs: ["get"], subresources: ["scale"] },
    },
  );
  assert.deepEqual([...failures.keys()], ["metrics.k8s.io/v1"]);
});

test("[DISC2] a server without aggregated discovery is asked group by group, the preferred version first", async () => {
  const { discovery, requests } = discoveryOf(plain);
  const { resources, failures } = await discovery.all();
  assert.deepEqual(requests.map(({ path }) => path).toSorted(), ["/api", "/api/v1", "/apis", "/apis/apps/v1", "/apis/apps/v1beta1"]);
  assert.deepEqual(
    resources.map(({ group, version, plural, singular, subresources }) => [`${plural}.${version}.${group}`, singular, ...subresources]),
    [
      ["events.v1.", "event"],
      ["deployments.v1.apps", "deployment", "scale"],
    ],
  );
  assert.ok(isReason(failures.get("apps/v1beta1"), "ServiceUnavailable"));
});

test("[DISC3] a kind is found by what objects say of themselves, with one request for its group version", async () => {
  const { discovery, requests } = discoveryOf(plain);
  const [one, two] = await Promise.all([
    discovery.resourceOf({ apiVersion: "apps/v1", kind: "Deployment" }),
    discovery.resourceOf({ apiVersion: "v1", kind: "Event" }),
  ]);
  assert.equal(one.plural, "deployments");
  assert.equal(two.plural, "events");
  await discovery.resourceOf({ apiVersion: "apps/v1", kind: "Deployment" });
  assert.equal(requests.length, 2);
});

test("[DISC4] an unknown kind is a NotFound, and is asked for anew the next time", async () => {
  const { discovery, requests } = discoveryOf(plain);
  const isUnknown = (error: unknown): boolean =>
    isReason(error, "NotFound") && /the server has no kind apps\/v1, Kind=Nope/.test(error.message);
  await assert.rejects(discovery.resourceOf({ apiVersion: "apps/v1", kind: "Nope" }), isUnknown);
  await assert.rejects(discovery.resourceOf({ apiVersion: "apps/v1", kind: "Nope" }), isUnknown);
  assert.equal(requests.length, 2);
  await assert.rejects(discovery.resourceOf({ apiVersion: "example.com/v1", kind: "Foo" }), (error) => isReason(error, "NotFound"));
  await assert.rejects(discovery.resourceOf({ apiVersion: "a/b/c", kind: "Foo" }), /apiVersion "a\/b\/c"/);
});

test("[DISC7] a kind is asked for anew after the server had nothing at its path: it may be defined otherwise by now", async () => {
  const cups = (namespaced: boolean): object => ({ resources: [{ name: "cups", singularName: "", namespaced, kind: "Cup", verbs: [] }] });
  let definition = cups(true);
  const { transport, requests } = scriptedTransport(({ path }) => {
    if (path === "/apis/example.com/v1") return { body: definition };
    if (path.endsWith("/cups/none")) return { status: 404, body: notFound({ group: "example.com", plural: "cups" }, "none").status };
    return { status: 404, body: "404 page not found\n" };
  });
  const client = new KubeClient(transport);
  const isNotFound = (error: unknown): boolean => isReason(error, "NotFound");
  const scopeOfCups = async (): Promise<string> => (await client.discovery.resourceOf({ apiVersion: "example.com/v1", kind: "Cup" })).scope;
  const Cup = await client.discovery.resourceOf({ apiVersion: "example.com/v1", kind: "Cup" });
  definition = cups(false);
  await assert.rejects(client.get(Cup, "shop/none"), isNotFound);
  assert.equal(await scopeOfCups(), "Namespaced");
  assert.equal(requests.length, 2);
  await assert.rejects(client.get(Cup, "shop/a"), isNotFound);
  assert.equal(await scopeOfCups(), "Cluster");
});

test("[DISC7] so it is after an informer found nothing there", async () => {
  const { discovery, client, requests } = discoveryOf(plain);
  const Deployment = await discovery.resourceOf({ apiVersion: "apps/v1", kind: "Deployment" });
  await assert.rejects(
    client.listerWatcher(Deployment, {}).list({ limit: 500, signal: new AbortController().signal }),
    /NotFound|not find/,
  );
  await discovery.resourceOf({ apiVersion: "apps/v1", kind: "Deployment" });
  assert.deepEqual(
    requests.map(({ path }) => path),
    ["/apis/apps/v1", "/apis/apps/v1/deployments?limit=500", "/apis/apps/v1"],
  );
});

test("[DISC8] lists that a server leaves out, or writes as null, are empty", async () => {
  const cup = described("cups", "Cup", { verbs: null, shortNames: null, subresources: null });
  const aggregatedNulls = discoveryOf({
    "/api": { kind: "APIGroupDiscoveryList", items: null },
    "/apis": {
      kind: "APIGroupDiscoveryList",
      items: [
        { metadata: { name: "none.example.com" } },
        { metadata: { name: "external.metrics.k8s.io" }, versions: [{ version: "v1beta1", resources: null }] },
        { metadata: { name: "example.com" }, versions: [{ version: "v1", resources: [cup] }] },
      ],
    },
  });
  const plainNulls = discoveryOf({
    "/api": { kind: "APIVersions", versions: null },
    "/apis": {
      kind: "APIGroupList",
      groups: [
        { name: "none.example.com", versions: null },
        { name: "external.metrics.k8s.io", versions: [{ groupVersion: "external.metrics.k8s.io/v1" }] },
        { name: "example.com", versions: [{ groupVersion: "example.com/v1" }] },
      ],
    },
    "/apis/external.metrics.k8s.io/v1": { resources: null },
    "/apis/example.com/v1": {
      resources: [{ name: "cups", singularName: "cup", namespaced: true, kind: "Cup", verbs: null, shortNames: null }],
    },
  });
  for (const { discovery } of [aggregatedNulls, plainNulls]) {
    const { resources, failures } = await discovery.all();
    assert.deepEqual([...failures], []);
    assert.deepEqual(
      resources.map(({ plural, verbs, shortNames, subresources }) => ({ plural, verbs, shortNames, subresources })),
      [{ plural: "cups", verbs: [], shortNames: [], subresources: [] }],
    );
    await assert.rejects(discovery.find("nope"), (error) => isReason(error, "NotFound"));
  }
  const unknown = plainNulls.discovery.resourceOf({ apiVersion: "external.metrics.k8s.io/v1", kind: "Nope" });
  await assert.rejects(unknown, (error) => isReason(error, "NotFound"));
});

test("[DISC5] a user may name a resource in any of the usual ways", async () => {
  const { discovery } = discoveryOf(aggregated);
  const found = async (name: string): Promise<string> => {
    const { plural, version, group } = await discovery.find(name);
    return `${plural}.${version}.${group}`;
  };
  for (const name of ["deploy", "Deployment", "deployments", "deployments.apps", "deployment.v1.apps"])
    assert.equal(await found(name), "deployments.v1.apps");
  assert.equal(await found("deployments.v1beta1.apps"), "deployments.v1beta1.apps");
  assert.equal(await found("ev"), "events.v1.");
  assert.equal(await found("events"), "events.v1.");
  assert.equal(await found("events.events.k8s.io"), "events.v1.events.k8s.io");
  await assert.rejects(discovery.find("nope"), (error) => isReason(error, "NotFound") && /no resource type "nope"/.test(error.message));
});

test("[DISC6] the OpenAPI document of a group version is where the index says", async () => {
  const { discovery, requests } = discoveryOf({
    "/openapi/v3": { paths: { "apis/apps/v1": { serverRelativeURL: "/openapi/v3/apis/apps/v1?hash=AB" } } },
    "/openapi/v3/apis/apps/v1": { openapi: "3.0.0" },
  });
  assert.deepEqual(await discovery.openApi("apps/v1"), { openapi: "3.0.0" });
  assert.equal(requests[1]?.path, "/openapi/v3/apis/apps/v1?hash=AB");
  await assert.rejects(discovery.openApi("v1"), (error) => isReason(error, "NotFound"));
});
