import { createMemoryStorage } from "@kaji/apiserver";
import { createApiServer } from "@kaji/cluster";
import { isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { JsonValue, Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { byClock, createNamespace, mapStrings, play, recordScenario, replay } from "@kaji-tools/record";
import type { Answer, Mismatch, Step } from "@kaji-tools/record";
import { shirtDefinition } from "./subjects.ts";
import { coatDefinition } from "./versioned-steps.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const served = "/apis/differential.example.com";

/** Defines the custom kinds, and waits until they are served. */
const preparation: readonly Step[] = [
  { method: "POST", path: definitions, body: shirtDefinition },
  { method: "POST", path: definitions, body: coatDefinition },
  { method: "GET", path: `${served}/v1/shirts`, until: '"ShirtList"' },
  { method: "GET", path: `${served}/v1/coats`, until: '"CoatList"' },
  { method: "GET", path: `${served}/v2/coats`, until: '"CoatList"' },
];

/** Keeps runs against the same server apart. */
const run = String(process.pid).padStart(7, "0");

/** Sends the same requests to a real server and to a new embedded one, each in a namespace where nothing is yet, and says where they differ. */
export class Comparison {
  readonly #real: Transport;
  #count = 0;

  private constructor(real: Transport) {
    this.#real = real;
  }

  static async with(real: Transport): Promise<Comparison> {
    await recordScenario({ name: "preparation", steps: preparation }, real);
    return new Comparison(caughtUp(real));
  }

  /** `steps` makes the requests for a namespace. */
  async mismatches(steps: (namespace: string) => readonly Step[]): Promise<readonly Mismatch[]> {
    const namespace = `differential-${run}-${String(this.#count++).padStart(6, "0")}`;
    await createNamespace(namespace, this.#real);
    const recorded = await recordScenario({ name: namespace, steps: steps(namespace) }, this.#real);
    const clock = new ManualClock();
    await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1) });
    const ours = server.transport();
    await createNamespace(namespace, ours);
    await play({ name: "preparation", steps: preparation }, ours);
    return await replay(recorded, ours, { pace: byClock(clock), essence: inAnyOrder });
  }
}

/**
 * A real server answers for `resourceVersion=0` from a cache that may be behind. A list that must be recent waits for that cache, so that after it
 * the answer is the present state, as it always is on the embedded server.
 */
function caughtUp(real: Transport): Transport {
  return async (request) => {
    const [collection] = /^.*\/namespaces\/[^/?]+\/[^/?]+/.exec(request.path) ?? [];
    if (collection !== undefined && /[?&]resourceVersion=0(?:&|$)/.test(request.path)) {
      const { body } = await real({ method: "GET", path: collection, headers: {} });
      for await (const _piece of body);
    }
    return real(request);
  };
}

/**
 * An answer with all warnings and mistakes in the order of the alphabet: a real server goes through the fields of a custom object in the order of
 * a hash table. It numbers the types of rules, too.
 */
function inAnyOrder({ body, warnings, ...rest }: Answer): Answer {
  const answer = warnings === undefined ? rest : { ...rest, warnings: warnings.toSorted() };
  if (!isJsonObject(body) || body["kind"] !== "Status" || typeof body["message"] !== "string") return { ...answer, body };
  const message = unnumbered(body["message"]).split("\n").toSorted().join("\n");
  const { causes } = isJsonObject(body["details"]) ? body["details"] : {};
  if (!isJsonArray(causes)) return { ...answer, body: { ...body, message } };
  const details = { causes: causes.map((cause) => mapStrings(cause, unnumbered)).toSorted(byText) };
  // A message that lists its mistakes does so in their order.
  const summary = causes.length < 2 ? message : message.replace(/\[.*\]$/s, (list) => `${list.length} letters`);
  return { ...answer, body: { ...body, details, message: summary } };
}

const unnumbered = (text: string): string => text.replaceAll(/selfType\d+/g, "selfType");

function byText(left: JsonValue, right: JsonValue): number {
  const [one, other] = [stringifyJson(left), stringifyJson(right)];
  return one < other ? -1 : Number(one > other);
}
