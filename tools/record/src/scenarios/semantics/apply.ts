import type { JsonObject, JsonValue } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const path = "/api/v1/namespaces/apply/configmaps";
const maps = callsTo(path);
const deploymentPath = "/apis/apps/v1/namespaces/apply/deployments";
const deployments = callsTo(deploymentPath);
const config = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
  data,
});
const send = (at: string, body: JsonValue, query: string): Step => ({
  method: "PATCH",
  path: `${at}?${query}`,
  body,
  headers: { "content-type": "application/apply-patch+yaml" },
});
const apply = (manager: string, body: JsonValue, query = ""): Step => send(`${path}/a`, body, `fieldManager=${manager}${query}`);
const deploy = (manager: string, spec: JsonObject, query = ""): Step =>
  send(
    `${deploymentPath}/web`,
    { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec },
    `fieldManager=${manager}${query}`,
  );
const update = (manager: string, body: JsonValue): Step => ({ method: "PATCH", path: `${path}/a?fieldManager=${manager}`, body });
const template = (...containers: readonly JsonObject[]): JsonObject => ({
  selector: { matchLabels: { app: "web" } },
  template: { metadata: { labels: { app: "web" } }, spec: { containers } },
});

/** Server-side apply, and who owns what. */
export const applyScenarios: readonly Scenario[] = [
  {
    name: "A1 field managers",
    steps: [
      send(`${path}/a`, config({ k: "v" }), ""),
      send(`${path}/a`, config({ k: "v" }), "fieldManager="),
      apply("{{129 times m}}", config({ k: "v" })),
      apply("me", config({ k: "v" })),
      { method: "PATCH", path: `${path}/a`, body: { data: { agent: "named" } }, headers: { "user-agent": "some-tool/v1.2 (linux)" } },
      { method: "PATCH", path: `${path}/a`, body: { data: { agent: "unnamed" } }, headers: { "user-agent": "justname" } },
      maps.get("a"),
    ],
  },
  {
    name: "A1 apply creates, changes and takes back",
    steps: [
      apply("me", config({ k: "v", other: "o" })),
      apply("me", config({ k: "v", other: "o" })),
      apply("me", config({ k: "w" })),
      apply("me", config({})),
      apply("me", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", labels: { l: "1" }, annotations: { n: "1" } } }),
      apply("me", { apiVersion: "v1", kind: "ConfigMap" }),
      maps.get("a"),
    ],
  },
  {
    name: "A2 A3 owners after updates and applies",
    steps: [
      maps.create({ metadata: { name: "a" }, data: { k: "v" } }),
      apply("me", config({ own: "1" })),
      update("other", { data: { theirs: "1" }, metadata: { labels: { l: "1" } } }),
      update("other", { data: { theirs: null } }),
      update("third", { data: { k: "changed" } }),
      { method: "PATCH", path: `${path}/a?fieldManager=fourth`, body: { metadata: { managedFields: [] } } },
      { method: "PATCH", path: `${path}/a?fieldManager=fifth`, body: { metadata: { managedFields: [{}] } } },
      update("sixth", { data: { after: "reset" } }),
      apply("me", config({ own: "2" })),
      { method: "PATCH", path: `${path}/a`, body: { metadata: { managedFields: [{ manager: "x", operation: "Nope" }] } } },
      {
        method: "PATCH",
        path: `${path}/a`,
        body: { metadata: { managedFields: [{ manager: "x", operation: "Update", fieldsType: "Nope" }] } },
      },
    ],
  },
  {
    name: "A4 conflict text",
    steps: [
      maps.create({ metadata: { name: "a" }, data: { k: "v", l: "v" } }),
      apply("me", config({ k: "mine" })),
      apply("me", config({ k: "v" })),
      apply("me", config({ k: "mine", l: "mine" })),
      apply("other", config({ k: "theirs", m: "1" }), "&force=true"),
      apply("me", config({ k: "mine" })),
      apply("me", config({ k: "mine", m: "2" })),
      apply("me", config({ k: "mine" }), "&force=true"),
      apply("me", config({ k: "mine" }), "&force=false"),
      apply("other", config({ m: "1" })),
      maps.get("a"),
    ],
  },
  {
    name: "A4 conflicts in lists and with a subresource",
    steps: [
      deploy("one", { replicas: 2, ...template({ name: "main", image: "nginx:1" }) }),
      deploy("two", { replicas: 3, ...template({ name: "main", image: "nginx:2" }) }),
      deploy("two", { replicas: 2, ...template({ name: "side", image: "side" }) }),
      deployments.patch("web/scale", { spec: { replicas: 5 } }),
      deploy("one", { replicas: 2, ...template({ name: "main", image: "nginx:1" }) }),
      deploy("one", template({ name: "main", image: "nginx:3", ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }] })),
      deploy("one", template({ name: "main", image: "nginx:3", ports: [{ containerPort: 80 }] })),
      deploy(
        "two",
        template({
          name: "side",
          image: "side",
          env: [
            { name: "A", value: "1" },
            { name: "B", value: "2" },
          ],
        }),
      ),
      deploy("two", template({ name: "side", image: "side", env: [{ name: "B", value: "2" }] })),
      deploy("two", template({ name: "main", image: "nginx:3" })),
      deployments.get("web"),
    ],
  },
  {
    name: "A5 what cannot be applied",
    steps: [
      apply("me", ""),
      apply("me", "nonsense"),
      apply("me", "[]"),
      apply("me", "a: b: c"),
      apply("me", {}),
      apply("me", { apiVersion: "v1" }),
      apply("me", { kind: "ConfigMap", metadata: { name: "a" } }),
      apply("me", { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "a" } }),
      apply("me", { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
      apply("me", config({ k: "v" }, { name: "b" })),
      apply("me", config({ k: "v" }, { namespace: "default" })),
      apply("me", config({ k: "v" }, { managedFields: [{ manager: "x" }] })),
      apply("me", config({ k: 5 })),
      apply("me", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: "text" }),
      apply("me", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, nope: 1 }),
      apply("me", config({ "bad key!": "x" })),
      apply("me", config({ k: "v" }, { uid: "8a4a4a0e-0000-4000-8000-000000000000" })),
      apply("me", config({ k: "v" }, { resourceVersion: "1" })),
      deploy("me", template({ name: "x", image: "i" }, { name: "x", image: "j" })),
      deploy("me", template({ image: "i" })),
      deploy("me", { ...template({ name: "x", image: "i" }), replicas: "three" }),
    ],
  },
  {
    name: "A5 preconditions and YAML",
    steps: [
      apply("me", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n"),
      apply("me", config({ k: "w" }, { resourceVersion: "1" })),
      apply("me", config({ k: "w" }, { uid: "8a4a4a0e-0000-4000-8000-000000000000" })),
      apply("me", config({ k: "w" }, { uid: "{{0.metadata.uid}}" })),
      apply("me", "apiVersion: v1\nkind: ConfigMap\ndata:\n  k: x\n  k: y\n"),
      apply("me", "apiVersion: v1\nkind: ConfigMap\ndata:\n  k: x\nnope: 1\n", "&fieldValidation=Strict"),
      apply("me", config({ k: "dry" }), "&dryRun=All"),
      send(`${path}/new`, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" } }, "fieldManager=me&dryRun=All"),
      maps.get("new"),
      maps.get("a"),
    ],
  },
  {
    name: "A6 applying a status",
    steps: [
      deploy("me", template({ name: "main", image: "nginx" })),
      send(
        `${deploymentPath}/web/status`,
        { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { replicas: 9 }, status: { replicas: 3 } },
        "fieldManager=controller",
      ),
      send(
        `${deploymentPath}/web`,
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "web" },
          spec: template({ name: "main", image: "nginx" }),
          status: { replicas: 8 },
        },
        "fieldManager=me",
      ),
      send(
        `${deploymentPath}/web/status`,
        { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, status: { replicas: 4 } },
        "fieldManager=rival",
      ),
      send(
        `${deploymentPath}/nope/status`,
        { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "nope" }, status: { replicas: 4 } },
        "fieldManager=rival",
      ),
      deployments.get("web"),
    ],
  },
  {
    name: "A9 applying a scale",
    steps: [
      deploy("me", { replicas: 2, ...template({ name: "main", image: "nginx" }) }),
      send(
        `${deploymentPath}/web/scale`,
        { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" }, spec: { replicas: 4 } },
        "fieldManager=scaler",
      ),
      send(
        `${deploymentPath}/web/scale`,
        { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" }, spec: { replicas: 4 } },
        "fieldManager=scaler&force=true",
      ),
      deployments.get("web"),
    ],
  },
];
