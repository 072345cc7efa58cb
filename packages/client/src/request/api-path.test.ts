import assert from "node:assert/strict";
import { test } from "node:test";
import { isStream, pathTemplate } from "./api-path.ts";

test("[OTEL1] paths of one kind have one template, whatever the object", () => {
  const templates = {
    "/api/v1/pods?limit=5": "/api/v1/pods",
    "/api/v1/nodes/a": "/api/v1/nodes/{name}",
    "/api/v1/namespaces": "/api/v1/namespaces",
    "/api/v1/namespaces/shop": "/api/v1/namespaces/{name}",
    "/api/v1/namespaces/shop/finalize": "/api/v1/namespaces/{name}/finalize",
    "/api/v1/namespaces/shop/pods": "/api/v1/namespaces/{namespace}/pods",
    "/api/v1/namespaces/shop/pods/web/log?follow=true": "/api/v1/namespaces/{namespace}/pods/{name}/log",
    "/apis/apps/v1/namespaces/shop/deployments/web": "/apis/apps/v1/namespaces/{namespace}/deployments/{name}",
    "/clusters/c1/apis/apps/v1/deployments": "/clusters/c1/apis/apps/v1/deployments",
    "/apis/apps/v1": "/apis/apps/v1",
    "/version": "/version",
  };
  for (const [path, template] of Object.entries(templates)) assert.equal(pathTemplate(path), template);
});

test("[HTTP14] watches and followed logs are streams", () => {
  for (const path of ["/pods?watch=true", "/pods?a=b&watch=1", "/log?follow=true&tailLines=1"]) assert.ok(isStream(path), path);
  for (const path of ["/pods", "/pods?watch=false", "/watch=true", "/pods?labelSelector=a%26watch%3Dtrue", "/pods?xwatch=true"])
    assert.ok(!isStream(path), path);
});
