import { errorMessage, formatApiVersion, formatKind, parseApiVersion, refusal } from "@kaji/core";
import type { ApiError, DynamicObject, GroupVersion, GroupVersionKind, JsonValue, Random } from "@kaji/core";
import type { CrdConversion } from "../custom/definition/crd.ts";
import {
  conversionReview,
  conversionReviewVersion,
  convertedObjects,
  ofType,
  refuseOtherObject,
  withOriginalMetadata,
} from "./conversion-review.ts";
import type { WebhookClient } from "./webhook-client.ts";

/** Who calls, and where from the names of calls come. */
export interface ConversionCaller {
  readonly client: WebhookClient;
  readonly random: Random;
}

/** Converts the objects of a custom kind by the webhook that its definition names. */
export class ConversionWebhook {
  readonly #webhook: NonNullable<CrdConversion["webhook"]>;
  readonly #caller: ConversionCaller;
  /** The group and kind of all objects. */
  readonly #type: { readonly group: string; readonly kind: string };

  constructor(
    webhook: NonNullable<CrdConversion["webhook"]>,
    type: { readonly group: string; readonly kind: string },
    caller: ConversionCaller,
  ) {
    this.#webhook = webhook;
    this.#type = type;
    this.#caller = caller;
  }

  /**
   * Objects of any versions in one of them. Those that are of it already stay as they are; the others go to the webhook in one call, but for those
   * that are nothing but their type: parts of objects are converted, too, while their owners are compared.
   */
  async convert(objects: readonly DynamicObject[], version: string): Promise<readonly DynamicObject[]> {
    const desired = { group: this.#type.group, version };
    const wanted = formatApiVersion(desired);
    const isForeign = (object: DynamicObject): boolean => object.apiVersion !== wanted && !isTypeAlone(object);
    const foreign = objects.filter(isForeign);
    const [first] = foreign;
    if (first === undefined) return objects.map((object) => inVersion(object, wanted));
    const about = formatKind({ ...parseApiVersion(first.apiVersion), kind: first.kind });
    const answered = await this.#ask(foreign, desired, about);
    if (answered.length !== foreign.length) throw failed(about, `returned ${answered.length} objects, expected ${foreign.length}`);
    const type = { ...desired, kind: this.#type.kind };
    const converted = foreign.map((original, index) => checked(original, answered[index] ?? null, type, { about, index })).values();
    return objects.map((object) => (isForeign(object) ? (converted.next().value ?? object) : inVersion(object, wanted)));
  }

  async #ask(objects: readonly DynamicObject[], desired: GroupVersion, about: string): Promise<readonly JsonValue[]> {
    const { clientConfig = {}, conversionReviewVersions } = this.#webhook;
    const version = conversionReviewVersion(conversionReviewVersions ?? []);
    if (version === undefined) throw refusal("", "no supported conversion review versions");
    const request = { version, uid: this.#caller.random.uuid(), objects, desired };
    try {
      const body = await this.#caller.client.post({ config: clientConfig, review: conversionReview(request), signal: undefined });
      return convertedObjects(body, request);
    } catch (error) {
      throw failed(about, `failed: ${errorMessage(error)}`);
    }
  }
}

function isTypeAlone(object: DynamicObject): boolean {
  return Object.keys(object).length === 2 && "apiVersion" in object && "kind" in object;
}

function inVersion(object: DynamicObject, apiVersion: string): DynamicObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

interface Place {
  readonly about: string;
  readonly index: number;
}

/** What the webhook says an object is, if that can be. */
function checked(original: DynamicObject, converted: JsonValue, type: GroupVersionKind, { about, index }: Place): DynamicObject {
  const typed = refusing(about, `returned invalid object at index ${index}`, () => ofType(converted, type));
  refusing(about, "returned invalid object", () => refuseOtherObject(original, typed));
  return refusing(about, "returned invalid metadata", () => withOriginalMetadata(original, typed));
}

/** Runs a check whose failure is the webhook's. */
function refusing<T>(about: string, what: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw failed(about, `${what}: ${errorMessage(error)}`);
  }
}

function failed(about: string, why: string): ApiError {
  return refusal("", `conversion webhook for ${about} ${why}`);
}
