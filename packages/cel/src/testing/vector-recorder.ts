import { isConditionTrue, isJsonObject } from "@kaji/core";
import type { Clock, Condition, JsonObject, JsonValue } from "@kaji/core";
import { limitedSchema, outcomeOf, ruleOf, withoutTypeNames } from "./vectors.ts";
import type { CelVectors, CostVector, ExpressionVector, RuleVector } from "./vectors.ts";

/** Sends a request to a real kube-apiserver. */
export type SendJson = (method: string, path: string, body?: JsonValue) => Promise<JsonValue>;

const crdsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const group = "cel.kaji.example.com";
const rulesPerKind = 40;

/** The real server lets the first objects of a new kind wait. */
const settleMs = 2500;

/** Asks a real server about all expressions; returns them with its answers. It leaves nothing behind. */
export async function recordVectors(vectors: CelVectors, send: SendJson, clock: Clock): Promise<CelVectors> {
  const recorder = new Recorder(vectors, send, clock);
  const rules: RuleVector[] = [];
  for (const { rule } of vectors.rules) rules.push({ rule, refused: await recorder.refusals({ rule, message: "m" }) });
  const costs: CostVector[] = [];
  for (const vector of vectors.costs) costs.push({ ...vector, refused: await recorder.expenses(vector) });
  return { ...vectors, rules, expressions: await recorder.expressions(), costs };
}

class Recorder {
  readonly #vectors: CelVectors;
  readonly #send: SendJson;
  readonly #clock: Clock;

  constructor(vectors: CelVectors, send: SendJson, clock: Clock) {
    this.#vectors = vectors;
    this.#send = send;
    this.#clock = clock;
  }

  /** Why a rule may not be in a definition. */
  async refusals(rule: JsonObject): Promise<readonly string[]> {
    return this.#refusals(this.#ruled([rule]));
  }

  /** Why a rule may not be on items of a list. */
  async expenses({ rule, times, limits }: CostVector): Promise<readonly string[]> {
    const schema = limitedSchema(this.#vectors.schema, limits) as JsonObject;
    const items = { ...schema, "x-kubernetes-validations": [{ rule, message: "m" }] };
    return this.#refusals({ type: "array", maxItems: times, items });
  }

  /** Those that are accepted are evaluated together, many at once. */
  async expressions(): Promise<readonly ExpressionVector[]> {
    const outcomes = new Map<string, ExpressionVector["outcome"]>();
    const accepted: string[] = [];
    for (const { expression } of this.#vectors.expressions) {
      const refused = await this.refusals(ruleOf(expression));
      if (refused.length === 0) accepted.push(expression);
      else outcomes.set(expression, { refused });
    }
    for (let at = 0; at < accepted.length; at += rulesPerKind) {
      const batch = accepted.slice(at, at + rulesPerKind);
      for (const [index, body] of (await this.#evaluate(`batch${at / rulesPerKind}s`, batch)).entries())
        outcomes.set(batch[index] ?? "", outcomeOf(body));
    }
    return this.#vectors.expressions.map(({ expression }) => ({ expression, outcome: outcomes.get(expression) ?? { refused: [] } }));
  }

  async #evaluate(plural: string, expressions: readonly string[]): Promise<readonly string[]> {
    const crd = crdOf(plural, this.#ruled(expressions.map(ruleOf)));
    const name = `${plural}.${group}`;
    await this.#send("POST", crdsPath, crd);
    while (!isEstablished(await this.#send("GET", `${crdsPath}/${name}`))) await this.#clock.sleep(50);
    await this.#clock.sleep(settleMs);
    const object = { apiVersion: `${group}/v1`, kind: kindOf(plural), metadata: { name: "x" }, spec: this.#vectors.object };
    const answer = await this.#send("POST", `/apis/${group}/v1/${plural}`, object);
    await this.#send("DELETE", `${crdsPath}/${name}`);
    const causes = causesOf(answer).map(withoutTypeNames);
    if (causes.length !== expressions.length)
      throw new Error(`${expressions.length} rules have ${causes.length} causes: ${JSON.stringify(answer)}`);
    return causes;
  }

  async #refusals(spec: JsonObject): Promise<readonly string[]> {
    const answer = await this.#send("POST", `${crdsPath}?dryRun=All`, crdOf("probes", spec));
    return causesOf(answer).map(withoutTypeNames);
  }

  #ruled(rules: readonly JsonObject[]): JsonObject {
    return { ...(this.#vectors.schema as JsonObject), "x-kubernetes-validations": rules };
  }
}

function crdOf(plural: string, spec: JsonObject): JsonObject {
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, kind: kindOf(plural) },
      scope: "Cluster",
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

function kindOf(plural: string): string {
  return `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
}

function causesOf(status: JsonValue): readonly string[] {
  if (!isJsonObject(status) || status["kind"] !== "Status" || status["status"] !== "Failure") return [];
  const { causes } = (status["details"] ?? {}) as { readonly causes?: readonly { readonly message: string }[] };
  return causes?.map(({ message }) => message) ?? [JSON.stringify(status["message"])];
}

function isEstablished(crd: JsonValue): boolean {
  const { status } = crd as { readonly status?: { readonly conditions?: readonly Condition[] } };
  return isConditionTrue(status?.conditions ?? [], "Established");
}
