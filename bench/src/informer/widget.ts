import { resource, resourcePath } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";

/** The custom kind that is mirrored; peers/ has the same in other languages. */
export const Widget: Resource = resource<KubeObject>({
  group: "bench.kaji.dev",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
});

/** Where the objects are. */
export const widgets: string = resourcePath(Widget, { namespace: "default" });

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** What makes a server serve Widgets. */
export const widgetCrd: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.bench.kaji.dev" },
  spec: {
    group: Widget.group,
    scope: Widget.scope,
    names: { plural: Widget.plural, singular: Widget.singular, kind: Widget.kind, listKind: Widget.listKind },
    versions: [
      {
        name: Widget.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
      },
    ],
  },
};

/** A Widget of about 2 KB, as the server gives it back with metadata of its own. */
export function widget(index: number): string {
  return JSON.stringify({
    apiVersion: "bench.kaji.dev/v1",
    kind: "Widget",
    metadata: {
      name: `widget-${index}`,
      labels: { "app.kubernetes.io/name": "widget", "app.kubernetes.io/part-of": "bench", shard: String(index % 16) },
      annotations: { "bench.kaji.dev/sent-at": "0" },
    },
    spec: {
      replicas: index % 10,
      image: `registry.example.com/team/application:1.2.${index}`,
      note: `widget ${index} is here to be mirrored, `.repeat(4),
      selector: { app: "widget", name: `widget-${index}` },
      env: ["DATABASE_URL", "CACHE_URL", "LOG_LEVEL", "REGION", "TENANT"].map((name) => ({ name, value: `value-of-${name}-for-${index}` })),
      ports: [
        { name: "http", port: 8080 },
        { name: "metrics", port: 9090 },
      ],
    },
    status: { phase: "Running", conditions: ["Ready", "Progressing"].map(condition) },
  });
}

function condition(type: string): object {
  return {
    type,
    status: "True",
    reason: "AsExpected",
    message: "everything is as it should be",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
}
