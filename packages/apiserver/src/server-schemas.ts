import { isJsonObject, objectOf } from "@kaji/core";
import { DecodeError } from "./object-schema.ts";
import type { ObjectSchema } from "./object-schema.ts";

/** The shapes of what every server reads besides the objects of its kinds. */
export interface ServerSchemas {
  /** `DeleteOptions` of `meta/v1`. */
  readonly deleteOptions: ObjectSchema;
  /** `Scale` of `autoscaling/v1`. */
  readonly scale: ObjectSchema;
}

/** Takes any object as it is; for servers whose clients speak JSON alone. */
export const openSchema: ObjectSchema = {
  decode(value) {
    if (!isJsonObject(value)) throw new DecodeError("json: cannot unmarshal into an object");
    const { metadata } = value;
    return { object: objectOf({ ...value, metadata: isJsonObject(metadata) ? metadata : {} }), unknownFields: [] };
  },
};
