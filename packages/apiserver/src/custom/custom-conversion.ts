import { formatApiVersion, formatKind, jsonOf, refusal } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { RemoteConversion } from "../kind.ts";
import { DecodeError } from "../object-schema.ts";
import { ConversionWebhook } from "../webhooks/conversion-webhook.ts";
import type { ConversionCaller } from "../webhooks/conversion-webhook.ts";
import { compiledVersion } from "./compiled-version.ts";
import { storageVersionOf } from "./definition/crd.ts";
import type { CrdSpec } from "./definition/crd.ts";
import { CustomSchema } from "./schema/custom-schema.ts";

/**
 * Takes the objects of a custom kind from one of its versions to another.
 * By the strategy `None` they stay as they are but for `apiVersion`, and lose what the other version does not know; by `Webhook` somebody else
 * says what they are, of which the other version's schema keeps what it knows.
 */
export class CustomConversion {
  /** Given where a webhook converts. */
  readonly remote: RemoteConversion | undefined;
  readonly #spec: CrdSpec;
  readonly #storage: string;

  constructor(spec: CrdSpec, caller?: ConversionCaller) {
    this.#spec = spec;
    this.#storage = storageVersionOf(spec)?.name ?? "";
    this.remote = this.#remoteBy(caller);
  }

  /** The schema of a version. */
  schemaOf(version: string): CustomSchema {
    const found = this.#spec.versions.find(({ name }) => name === version);
    return found === undefined ? noSchema : compiledVersion(found).schema;
  }

  /**
   * An object as it is kept, in a version. It is read by the version it was kept in, whose defaults it gets if it was written before there were
   * any; those of the other version it does not get, as on the real server.
   */
  fromStorage(stored: DynamicObject, version: string): DynamicObject {
    return this.#convert(this.#kept(stored), version);
  }

  /** An object of a version, as it is to be kept: with the defaults it would get when it is read. */
  toStorage(object: DynamicObject): DynamicObject {
    return this.schemaOf(this.#storage).default(this.#convert(object, this.#storage));
  }

  #kept(stored: DynamicObject): DynamicObject {
    const schema = this.schemaOf(versionOf(stored));
    return schema.default(decoded(schema, stored));
  }

  #convert(object: DynamicObject, to: string): DynamicObject {
    if (versionOf(object) === to) return object;
    const { group, names, conversion } = this.#spec;
    if (conversion?.strategy === "Webhook") {
      const what = formatKind({ group, version: versionOf(object), kind: names.kind });
      throw refusal("", `conversion webhook for ${what} failed: this server does not call conversion webhooks`);
    }
    return decoded(this.schemaOf(to), { ...object, apiVersion: formatApiVersion({ group, version: to }) });
  }

  #remoteBy(caller: ConversionCaller | undefined): RemoteConversion | undefined {
    const { group, names, conversion } = this.#spec;
    if (conversion?.strategy !== "Webhook" || conversion.webhook === undefined || caller === undefined) return undefined;
    const webhook = new ConversionWebhook(conversion.webhook, { group, kind: names.kind }, caller);
    const convertAll = async (objects: readonly DynamicObject[], version: string): Promise<readonly DynamicObject[]> => {
      const converted = await webhook.convert(objects, version);
      return converted.map((object, index) => (object === objects[index] ? object : understood(this.schemaOf(version), object)));
    };
    const convert = async (object: DynamicObject, version: string): Promise<DynamicObject> => {
      const [converted = object] = await convertAll([object], version);
      return converted;
    };
    return {
      convert,
      fromStorage: (stored, version) =>
        convertAll(
          stored.map((each) => this.#kept(each)),
          version,
        ),
      toStorage: async (object) => this.schemaOf(this.#storage).default(await convert(object, this.#storage)),
    };
  }
}

/** Of versions that are no more. */
const noSchema = new CustomSchema({});

function versionOf({ apiVersion }: DynamicObject): string {
  return apiVersion.slice(apiVersion.lastIndexOf("/") + 1);
}

function decoded(schema: CustomSchema, object: DynamicObject): DynamicObject {
  return schema.decode(jsonOf(object)).object;
}

/** What a webhook made, as the schema reads it. */
function understood(schema: CustomSchema, object: DynamicObject): DynamicObject {
  try {
    return decoded(schema, object);
  } catch (error) {
    throw error instanceof DecodeError ? refusal("", error.message) : error;
  }
}
