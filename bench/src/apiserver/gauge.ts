/** The custom kind whose objects are written and read. */
export const benchCrd: Readonly<Record<string, unknown>> = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gauges.bench.kaji.dev" },
  spec: {
    group: "bench.kaji.dev",
    scope: "Namespaced",
    names: { plural: "gauges", singular: "gauge", kind: "Gauge", listKind: "GaugeList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  replicas: { type: "integer", minimum: 0, default: 1 },
                  image: { type: "string" },
                  note: { type: "string" },
                  labels: { type: "object", additionalProperties: { type: "string" } },
                  ports: { type: "array", items: { type: "object", properties: { name: { type: "string" }, port: { type: "integer" } } } },
                },
              },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};

/** Where the objects are. */
export const gauges = "/apis/bench.kaji.dev/v1/namespaces/default/gauges";

/** An object of about 700 bytes. */
export function gauge(name: string): string {
  return JSON.stringify({
    apiVersion: "bench.kaji.dev/v1",
    kind: "Gauge",
    metadata: { name, labels: { app: "bench", tier: "backend" }, annotations: { note: "an object of a size that is common" } },
    spec: {
      replicas: 3,
      image: "registry.example.com/team/application:1.2.3",
      note: "x".repeat(220),
      labels: { a: "1", b: "2", c: "3" },
      ports: [
        { name: "http", port: 8080 },
        { name: "metrics", port: 9090 },
      ],
    },
  });
}
