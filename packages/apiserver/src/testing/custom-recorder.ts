import { isConditionTrue, isJsonObject, jsonOf, objectOf } from "@kaji/core";
import type { Clock, JsonObject, JsonValue } from "@kaji/core";
import { asCrd } from "../custom/definition/crd.ts";
import type { CrdVersion } from "../custom/definition/crd.ts";
import { vectorAnswer, vectorGroup, vectorNames } from "./custom-vectors.ts";
import type { CustomVectors, DefinitionVector, KindVector, ObjectVector, VectorAnswer } from "./custom-vectors.ts";

/** An answer of a server. */
export interface RecordedAnswer {
  readonly code: number;
  readonly body: JsonValue;
  readonly warnings: readonly string[];
}

/** Sends a request to a real kube-apiserver. */
export type SendJson = (method: string, path: string, body?: JsonValue) => Promise<RecordedAnswer>;

const crdsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The real server lets the first objects of a new kind wait for two seconds, and needs a moment to see that a definition has changed. */
const settleMs = 2500;

/** Plays all vectors on a real server; returns them with its answers. It leaves nothing behind. */
export async function recordCustomVectors(vectors: CustomVectors, send: SendJson, clock: Clock): Promise<CustomVectors> {
  const recorder = new Recorder(vectors, send, clock);
  const definitions: DefinitionVector[] = [];
  for (const vector of vectors.definitions) definitions.push({ ...vector, answer: await recorder.definition(vector) });
  return { definitions, kinds: await recorder.kinds() };
}

class Recorder {
  readonly #vectors: CustomVectors;
  readonly #send: SendJson;
  readonly #clock: Clock;

  constructor(vectors: CustomVectors, send: SendJson, clock: Clock) {
    this.#vectors = vectors;
    this.#send = send;
    this.#clock = clock;
  }

  async definition({ sent, before }: DefinitionVector): Promise<VectorAnswer> {
    if (before === undefined) return answerOf(await this.#send("POST", `${crdsPath}?dryRun=All`, sent));
    const created = await this.#establish(before);
    const path = `${crdsPath}/${nameOf(before)}`;
    const answer = await this.#send("PUT", `${path}?dryRun=All`, atRevisionOf(sent, created));
    await this.#remove(nameOf(before));
    return answerOf(answer);
  }

  async kinds(): Promise<readonly KindVector[]> {
    const { kinds } = this.#vectors;
    for (const vector of kinds) await this.#establish(this.#crd(vector, vector.earlier ?? vector.versions));
    await this.#clock.sleep(settleMs);
    const created = new Map<ObjectVector, JsonValue>();
    for (const vector of kinds) {
      for (const object of vector.objects)
        if (object.before !== undefined) created.set(object, await this.#create(vector, object, object.before));
    }
    for (const vector of kinds) if (vector.earlier !== undefined) await this.#change(vector);
    await this.#clock.sleep(settleMs);
    const recorded: KindVector[] = [];
    for (const vector of kinds) {
      const objects: ObjectVector[] = [];
      for (const object of vector.objects) objects.push({ ...object, answer: await this.#object(vector, object, created.get(object)) });
      recorded.push({ ...vector, objects });
      await this.#remove(`${this.#names(vector).plural}.${vectorGroup}`);
    }
    return recorded;
  }

  async #object(vector: KindVector, object: ObjectVector, live: JsonValue | undefined): Promise<VectorAnswer> {
    const { sent, subresource, fieldValidation = "Ignore" } = object;
    const path = this.#path(vector, object.version);
    const query = `?dryRun=All&fieldValidation=${fieldValidation}`;
    if (live === undefined) return answerOf(await this.#send("POST", `${path}${query}`, sent));
    const below = subresource === undefined ? "" : `/${subresource}`;
    return answerOf(await this.#send("PUT", `${path}/${nameOf(sent)}${below}${query}`, atRevisionOf(sent, live)));
  }

  async #create(vector: KindVector, { name, version }: ObjectVector, before: JsonObject): Promise<JsonValue> {
    const { code, body } = await this.#send("POST", `${this.#path(vector, version)}?fieldValidation=Ignore`, before);
    if (code !== 201) throw new Error(`${vector.name}, ${name}: what comes before was refused: ${JSON.stringify(body)}`);
    return body;
  }

  /** Replaces the earlier versions of a kind by the present ones. */
  async #change(vector: KindVector): Promise<void> {
    const crd = this.#crd(vector, vector.versions);
    const { body: live } = await this.#send("GET", `${crdsPath}/${nameOf(crd)}`);
    const { code, body } = await this.#send("PUT", `${crdsPath}/${nameOf(crd)}`, atRevisionOf(crd, live));
    if (code !== 200) throw new Error(`${vector.name}: the definition could not be changed: ${JSON.stringify(body)}`);
  }

  async #establish(crd: JsonObject): Promise<JsonValue> {
    const { code, body } = await this.#send("POST", crdsPath, crd);
    if (code !== 201) throw new Error(`${nameOf(crd)} was refused: ${JSON.stringify(body)}`);
    for (;;) {
      const { body: live } = await this.#send("GET", `${crdsPath}/${nameOf(crd)}`);
      const { status } = asCrd(objectOf(live));
      if (isConditionTrue(status?.conditions ?? [], "Established")) return live;
      await this.#clock.sleep(50);
    }
  }

  async #remove(crd: string): Promise<void> {
    await this.#send("DELETE", `${crdsPath}/${crd}`);
    while ((await this.#send("GET", `${crdsPath}/${crd}`)).code !== 404) await this.#clock.sleep(50);
  }

  #crd(vector: KindVector, versions: readonly CrdVersion[]): JsonObject {
    const names = this.#names(vector);
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${names.plural}.${vectorGroup}` },
      spec: { group: vectorGroup, scope: "Namespaced", names, versions: jsonOf(versions) },
    };
  }

  #path(vector: KindVector, version = vector.versions[0]?.name ?? ""): string {
    return `/apis/${vectorGroup}/${version}/namespaces/default/${this.#names(vector).plural}`;
  }

  #names(vector: KindVector): { readonly plural: string; readonly kind: string } {
    return vectorNames(vector, this.#vectors);
  }
}

function answerOf({ code, body, warnings }: RecordedAnswer): VectorAnswer {
  return vectorAnswer(code, body, warnings);
}

function nameOf(object: JsonObject): string {
  const { metadata } = object;
  return isJsonObject(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
}

function atRevisionOf(object: JsonObject, live: JsonValue): JsonObject {
  const { metadata } = isJsonObject(live) ? live : {};
  const { resourceVersion } = isJsonObject(metadata) ? metadata : {};
  return {
    ...object,
    metadata: {
      ...(isJsonObject(object["metadata"]) ? object["metadata"] : {}),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  };
}
