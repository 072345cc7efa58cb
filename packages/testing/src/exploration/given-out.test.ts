import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject } from "@kaji/core";
import { objectId } from "../simulation/object-id.ts";
import { byWhose, givenOut } from "./given-out.ts";

const service = (name: string, spec: object): DynamicObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default" },
  spec,
});

test("an address or a port is known by whose it is, and stays as it is once it is nobody's", () => {
  const web = service("web", { clusterIPs: ["10.0.0.7"], ports: [{ nodePort: 30086 }, { name: "tls", nodePort: 30087 }] });
  const other = service("other", { clusterIPs: ["10.0.0.8", "None"], ports: [{ port: 80 }] });
  const given = givenOut(new Map([web, other].map((object) => [objectId(object), object])));
  assert.deepEqual(
    byWhose({ url: "http://10.0.0.7:80", peers: ["10.0.0.8", "10.0.0.9", "10.0.0.70"], ports: [30086, 30087, 30088] }, given),
    {
      url: "http://<address of Service default/web>:80",
      peers: ["<address of Service default/other>", "10.0.0.9", "10.0.0.70"],
      ports: ["<node port of Service default/web>", "<node port tls of Service default/web>", 30088],
    },
  );
});
