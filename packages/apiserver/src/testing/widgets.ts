import { bodyText, isJsonObject, jsonOf, objectAt, objectOf, textAt, valueAt } from "@kaji/core";
import type { DynamicObject, JsonObject, TransportRequest } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ApiServer } from "../api-server.ts";
import type { ApiServerOptions } from "../api-server.ts";
import { deducedSchema } from "../apply/merge-schema.ts";
import { allVerbs } from "../kind.ts";
import type { Kind, KindVersion } from "../kind.ts";
import type { Strategy } from "../strategy.ts";
import type { ObjectSchema } from "../object-schema.ts";
import { DecodeError } from "../object-schema.ts";
import { createMemoryStorage } from "../storage/memory-storage.ts";

/** A small kind for tests: a namespaced Widget with `spec` and `status`, of which only `size` and `color` are known. */
export function widgetKind(overrides: Partial<KindVersion> = {}): Kind {
  const version: KindVersion = {
    version: "v1",
    schema: widgetSchema,
    mergeSchema: deducedSchema,
    strategy: widgetStrategy,
    columns: [{ name: "Name", type: "string", cell: ({ metadata }) => metadata.name }],
    subresources: {
      status: {
        type: "Update",
        verbs: ["get", "patch", "update"],
        strategy: {
          generationOf: "none",
          resetFields: [["spec"]],
          prepareUpdate: (object, old) => ({ ...old, metadata: object.metadata, status: object["status"] }),
        },
      },
      scale: {
        type: "Scale",
        replicasPath: ["spec", "size"],
        read: (object) => ({ specReplicas: sizeOf(object), statusReplicas: 0, selector: "" }),
        write: (object, replicas) => ({ ...object, spec: { ...objectAt(jsonOf(object), "spec"), size: replicas } }),
      },
    },
    fromStorage: (object) => object,
    toStorage: (object) => object,
    selectableFields: { "spec.color": (object) => textAt(jsonOf(object), "spec", "color") },
    ...overrides,
  };
  return {
    group: "example.com",
    kind: "Widget",
    plural: "widgets",
    singular: "widget",
    listKind: "WidgetList",
    scope: "Namespaced",
    shortNames: ["w"],
    categories: ["all"],
    storagePrefix: "/registry/example.com/widgets/",
    storageVersion: "example.com/v1",
    isCustom: true,
    versions: [version],
    verbs: allVerbs,
  };
}

/** What `Widget`s do; tests replace parts of it. */
export const widgetStrategy: Strategy = {
  generationOf: "all-but-metadata-and-status",
  resetFields: [["status"]],
  prepareCreate: ({ status: _status, ...object }) => object,
  prepareUpdate: (object, old) => ({ ...object, status: old["status"] }),
};

const known = new Set(["apiVersion", "kind", "metadata", "spec", "status"]);

const widgetSchema: ObjectSchema = {
  decode(value) {
    if (!isJsonObject(value)) throw new DecodeError("json: cannot unmarshal into a Widget");
    const { metadata, spec } = value;
    if (spec !== undefined && !isJsonObject(spec)) throw new DecodeError("spec must be an object");
    const kept = Object.entries(value).filter(([name]) => known.has(name));
    const unknownFields = Object.keys(value).filter((name) => !known.has(name));
    return {
      object: objectOf({ ...Object.fromEntries(kept), metadata: objectAt(metadata) }),
      unknownFields,
    };
  },
};

/** A server of widgets in memory, its clock, and a way to call it. */
export interface TestServer extends AsyncDisposable {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  call(method: TransportRequest["method"], path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
}

/** A response, read to its end. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  readonly json: JsonObject;
  /** The `message` of a Status. */
  readonly message: string;
}

/** Starts a server of widgets in memory, under a clock that stands still. */
export function startTestServer(options: Partial<ApiServerOptions> = {}): TestServer {
  const clock = new ManualClock();
  const storage = createMemoryStorage({ clock });
  const server = new ApiServer({ storage, kinds: [widgetKind()], clock, random: seededRandom(1), ...options });
  const send = server.transport();
  return {
    server,
    clock,
    async call(method, path, body, headers = {}) {
      const bytes = body === undefined ? undefined : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
      const response = await send({ method, path, headers: { "content-type": "application/json", ...headers }, body: bytes });
      const text = await bodyText(response.body);
      const json = parsed(text);
      return { ...response, text, json, message: textAt(json, "message") };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The path of widgets in the namespace `default`. */
export const widgets = "/apis/example.com/v1/namespaces/default/widgets";

function parsed(text: string): JsonObject {
  try {
    return objectAt(JSON.parse(text));
  } catch {
    return {};
  }
}

function sizeOf(object: DynamicObject): number {
  return Number(valueAt(jsonOf(object), "spec", "size") ?? 0);
}
