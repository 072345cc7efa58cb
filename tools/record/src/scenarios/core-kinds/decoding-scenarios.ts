import type { JsonValue } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";
import { container, podsPath } from "./pod-calls.ts";

const events = callsTo("/api/v1/namespaces/core-kinds/events");
const configMaps = callsTo("/api/v1/namespaces/core-kinds/configmaps");

function read(spec: JsonValue, query = ""): Step {
  return { method: "POST", path: `${podsPath}?dryRun=All${query}`, body: { metadata: { name: "read" }, spec } };
}

function readContainer(fields: JsonValue): Step {
  return read({ containers: [fields] });
}

/** What the server says of values that do not fit where they are, and in which order. */
export const decodingScenarios: readonly Scenario[] = [
  {
    name: "C11 values of wrong types",
    steps: [
      read({ volumes: [{ name: "x", configMap: "x" }] }),
      read({ volumes: [{ name: "x", configMap: { defaultMode: 2_147_483_648 } }] }),
      readContainer({ livenessProbe: { httpGet: 3 } }),
      readContainer({ livenessProbe: { httpGet: { port: 2_147_483_648 } } }),
      readContainer({ livenessProbe: { httpGet: { port: true } } }),
      readContainer({ livenessProbe: { httpGet: { port: {} } } }),
      readContainer({ resources: { limits: { cpu: ["bad"] } } }),
      readContainer({ resources: { limits: { cpu: true } } }),
      readContainer({ resources: { limits: 3 } }),
      readContainer({ ports: [{ containerPort: 3.5 }] }),
      readContainer({ ports: [{ containerPort: "80" }] }),
      readContainer({ command: [1, 2], args: [null] }),
      read({ containers: [3] }),
      read({ hostNetwork: "true" }),
      read("x"),
    ],
  },
  {
    name: "C11 several mistakes at once",
    steps: [
      read({ terminationGracePeriodSeconds: "x", containers: "y" }),
      read({ containers: "y", terminationGracePeriodSeconds: "x" }),
      readContainer({ name: 3, resources: { limits: { cpu: "bad" } } }),
      events.create({ metadata: { name: "read" }, series: { count: 2_147_483_648, lastObservedTime: "-5" } }, "?dryRun=All"),
      read(
        { zz: 1, containers: [container], volumes: [{ name: "x", aa: 3, configMap: { foo: 1 } }], nodeSelector: 3 },
        "&fieldValidation=Strict",
      ),
      read({ zz: 1, containers: [container], volumes: [{ name: "x", aa: 3, configMap: { foo: 1 } }], aa: 3 }, "&fieldValidation=Strict"),
      read({ zz: 1, containers: [container], volumes: [{ name: "x", aa: 3, configMap: { foo: 1 } }], aa: 3 }),
    ],
  },
  {
    name: "C11 null in maps",
    steps: [
      configMaps.create({ metadata: { name: "nothing" }, data: { a: null }, binaryData: { b: null } }),
      configMaps.create({ metadata: { name: "wrong" }, data: { "a b": null }, binaryData: { "c d": null } }),
    ],
  },
];
