import assert from "node:assert/strict";
import { test } from "node:test";
import type { TransportRequest } from "@kaji/core";
import { requestTarget } from "./request-target.ts";

const rows: readonly (readonly [TransportRequest["method"], string, string])[] = [
  ["GET", "/api/v1/pods?watch=true", "watch /pods - - -"],
  ["GET", "/api/v1/namespaces/a/pods", "list /pods a - -"],
  ["GET", "/api/v1/namespaces/a", "get /namespaces - a -"],
  ["POST", "/apis/apps/v1/namespaces/a/deployments", "create apps/deployments a - -"],
  ["PATCH", "/apis/apps/v1/namespaces/a/deployments/web/status", "patch apps/deployments a web status"],
  ["DELETE", "/api/v1/namespaces/a/pods", "deletecollection /pods a - -"],
  ["DELETE", "/api/v1/nodes/n%20x", "delete /nodes - n x -"],
];

test("a request says what it does to which object", () => {
  for (const [method, path, expected] of rows) {
    const { verb, group, plural, namespace = "-", name = "-", subresource = "-" } = requestTarget({ method, path }) ?? assert.fail(path);
    assert.equal(`${verb} ${group}/${plural} ${namespace} ${name} ${subresource}`, expected);
  }
  assert.equal(requestTarget({ method: "GET", path: "/version" }), undefined);
});
