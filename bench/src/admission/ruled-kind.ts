/** A custom kind with a number of rules in CEL. */
export interface RuledKind {
  readonly crd: Readonly<Record<string, unknown>>;
  /** Where its objects are. */
  readonly path: string;
  /** An object of about 700 bytes that keeps all rules. */
  readonly object: (name: string) => string;
}

const group = "bench.kaji.dev";

/** The kind of that name, such as `tens`, with as many rules. */
export function ruledKind(plural: string, rules: number): RuledKind {
  const kind = plural.slice(0, 1).toUpperCase() + plural.slice(1, -1);
  return {
    crd: definition(plural, kind, rules),
    path: `/apis/${group}/v1/namespaces/default/${plural}`,
    object: (name) => object(kind, name),
  };
}

/** Rules as they are common: bounds, relations of fields, text, what holds for all items, what must not be there. */
const ruleForms: readonly ((index: number) => string)[] = [
  (index) => `self.replicas >= ${index % 3}`,
  (index) => `self.replicas <= self.limit + ${index}`,
  (index) => `self.ports.all(port, port.port > ${index} && port.name != 'x${index}')`,
  (index) => `self.image.startsWith('registry.example.com/') && !self.image.endsWith(':v${index}')`,
  (index) => `!has(self.labels) || !('l${index}' in self.labels)`,
];

/** The rules of a kind, no two alike. */
function rulesFor(count: number): readonly { readonly rule: string; readonly message: string }[] {
  return Array.from({ length: count }, (_rule, index) => {
    const form = ruleForms[index % ruleForms.length];
    return { rule: form?.(index) ?? "true", message: `rule ${index} is broken` };
  });
}

function definition(plural: string, kind: string, rules: number): Readonly<Record<string, unknown>> {
  const text = (maxLength: number) => ({ type: "string", maxLength });
  const spec = {
    type: "object",
    required: ["replicas", "limit", "image", "ports"],
    properties: {
      replicas: { type: "integer", minimum: 0 },
      limit: { type: "integer" },
      image: text(100),
      note: text(500),
      labels: { type: "object", maxProperties: 10, additionalProperties: text(50) },
      ports: {
        type: "array",
        maxItems: 10,
        items: { type: "object", required: ["name", "port"], properties: { name: text(20), port: { type: "integer" } } },
      },
    },
    ...(rules === 0 ? {} : { "x-kubernetes-validations": rulesFor(rules) }),
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties: { spec } } } }],
    },
  };
}

function object(kind: string, name: string): string {
  return JSON.stringify({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, labels: { app: "bench", tier: "backend" } },
    spec: {
      replicas: 3,
      limit: 10,
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
