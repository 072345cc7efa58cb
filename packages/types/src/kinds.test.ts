import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { resourcePath } from "@kaji/core";
import type { Draft, ObjectOf } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";
import type { DeploymentSpec } from "@kaji/types/apps/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Namespace, Service } from "@kaji/types/core/v1";
import type { StatefulSet } from "@kaji/types/apps/v1";

const spec: DeploymentSpec = {
  replicas: 2,
  selector: { matchLabels: { app: "web" } },
  template: {
    metadata: { labels: { app: "web" } },
    spec: {
      containers: [
        {
          name: "web",
          image: "nginx:1.29",
          ports: [{ containerPort: 80, protocol: "TCP" }],
          resources: { requests: { cpu: "100m" } },
          livenessProbe: { httpGet: { path: "/", port: "http" } },
        },
      ],
    },
  },
};

test("a kind is a type and a value of one name", () => {
  const deployment: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "shop" }, spec };
  const same: ObjectOf<typeof Deployment> = deployment;
  assert.equal(resourcePath(Deployment, same.metadata), "/apis/apps/v1/namespaces/shop/deployments/web");
  assert.equal(resourcePath(Namespace, { name: "shop" }), "/api/v1/namespaces/shop");
  assert.equal(CustomResourceDefinition.scope, "Cluster");
});

test("a draft needs neither type nor status", () => {
  const draft: Draft<Service> = { metadata: { name: "web" }, spec: { type: "ClusterIP", ports: [{ port: 80, targetPort: "http" }] } };
  assert.equal(draft.spec?.type, "ClusterIP");
  assert.equal(Service.plural, "services");
});

test("the template of an object is written without its type", () => {
  const set: Pick<NonNullable<StatefulSet["spec"]>, "volumeClaimTemplates"> = {
    volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } }],
  };
  assert.equal(set.volumeClaimTemplates?.length, 1);
});

test("what is wrong does not compile", () => {
  // @ts-expect-error a misspelt field
  const misspelt: DeploymentSpec = { ...spec, replica: 2 };
  // @ts-expect-error a required field is missing
  const incomplete: DeploymentSpec = { selector: {} };
  // @ts-expect-error a value that is none of the allowed ones
  const notAllowed: Service["spec"] = { type: "LoadBalanced" };
  // @ts-expect-error a quantity is a text
  const notText: DeploymentSpec["template"] = { spec: { containers: [{ name: "a", resources: { limits: { cpu: 1 } } }] } };
  // @ts-expect-error the kind of another object
  const other: Deployment = { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "a" } };
  // @ts-expect-error objects are readonly
  other.metadata.name = "b";
  assert.ok([misspelt, incomplete, notAllowed, notText, other]);
});

test("importing a version loads its file and core, and nothing else", () => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import("@kaji/types/apps/v1");
    console.log(JSON.stringify(loaded));
  `;
  const flags = ["--conditions=@kaji/source", "--input-type=module", "--eval", program];
  const urls = JSON.parse(execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: "utf8" })) as readonly string[];
  const packages = fileURLToPath(new URL("../../", import.meta.url));
  const ours = urls
    .filter((url) => url.startsWith("file:") && !url.includes("/node_modules/"))
    .map((url) => relative(packages, fileURLToPath(url)));
  assert.deepEqual(
    ours.filter((file) => !file.startsWith("core/")),
    ["types/src/generated/apps/v1.ts"],
  );
});
