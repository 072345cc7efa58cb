import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const path = "/api/v1/namespaces/transforms/configmaps";
const maps = callsTo(path);
const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
const asMetadata = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const asMetadataList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const get = (accept: string, at: string): Step => ({ method: "GET", path: at, headers: { accept } });
const sample = (name: string): JsonObject => ({ metadata: { name, labels: { name } }, data: { k: "v" } });

/** Tables, and objects reduced to their metadata. */
export const transformScenarios: readonly Scenario[] = [
  {
    name: "X1 tables",
    steps: [
      maps.create(sample("a")),
      maps.create(sample("b")),
      get(asTable, path),
      get(asTable, `${path}/a`),
      get(asTable, `${path}?includeObject=None`),
      get(asTable, `${path}?includeObject=Object`),
      get(asTable, `${path}/a?includeObject=Metadata`),
      get(asTable, `${path}?includeObject=Nope`),
      get(asTable, `${path}?limit=1`),
      get(asTable, `${path}?labelSelector=name%3Dnope`),
      get(asTable, `${path}/nope`),
      get(`${asTable},application/json`, "/api/v1/configmaps?fieldSelector=metadata.namespace%3Dtransforms"),
      { method: "POST", path, body: sample("c"), headers: { accept: asTable } },
      { method: "PATCH", path: `${path}/c`, body: { data: {} }, headers: { accept: asTable } },
      { method: "DELETE", path: `${path}/c`, headers: { accept: asTable } },
    ],
  },
  {
    name: "X3 metadata alone",
    steps: [
      maps.create(sample("a")),
      get(asMetadata, `${path}/a`),
      get(asMetadataList, path),
      get(asMetadataList, `${path}?limit=1`),
      get(asMetadata, path),
      get(asMetadataList, `${path}/a`),
      get(asMetadata, `${path}/nope`),
      get("application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io", `${path}/a`),
      get("application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io", path),
      { method: "PATCH", path: `${path}/a`, body: { data: { k: "w" } }, headers: { accept: asMetadata } },
      { method: "PUT", path: `${path}/a`, body: sample("a"), headers: { accept: asMetadata } },
      { method: "DELETE", path: `${path}/a`, headers: { accept: asMetadata } },
    ],
  },
  {
    name: "X4 tables of what has no metadata",
    steps: [
      {
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        body: { spec: { resourceAttributes: { verb: "get", resource: "pods" } } },
        headers: { accept: asTable },
      },
      get(asTable, "/apis/apps/v1"),
      get(asTable, "/version"),
      get(asMetadata, "/api"),
    ],
  },
];
