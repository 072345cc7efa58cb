import { isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { anyValue, count, double, each, flag, message, named, nested, text } from "./protobuf-message.ts";
import type { WriteMessage } from "./protobuf-message.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

/**
 * A Swagger document as the protobuf message `openapi.v2.Document` of gnostic: the only form for which client-go's `OpenAPISchema` asks.
 * kubectl uses it for kinds that cannot be patched, to check them and to see what the server can check.
 */
export function gnosticDocument(document: JsonValue): Uint8Array {
  const out = new ProtobufWriter();
  swagger(out, document);
  return out.finish();
}

/** Schemas contain schemas. */
const schema: WriteMessage = (out, value) => schemaFields(out, value);

const schemaFields = message(
  {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: flag(8),
    minimum: double(9),
    exclusiveMinimum: flag(10),
    maxLength: count(11),
    minLength: count(12),
    pattern: text(13),
    maxItems: count(14),
    minItems: count(15),
    uniqueItems: flag(16),
    maxProperties: count(17),
    minProperties: count(18),
    required: each(text(19)),
    enum: each(nested(20, anyValue)),
    additionalProperties: nested(
      21,
      either((value) => isJsonObject(value), nested(1, schema), flag(2)),
    ),
    type: nested(22, text(1)),
    items: nested(23, nested(1, schema)),
    properties: nested(25, named(1, schema)),
    externalDocs: nested(29, message({ description: text(1), url: text(2) }, 3)),
    example: nested(30, anyValue),
  },
  31,
);

const body = message({ name: text(2), in: text(3), required: flag(4), schema: nested(5, schema) }, 6);
const query = message({ required: flag(1), in: text(2), name: text(4), type: text(6), uniqueItems: flag(20) }, 23);
const path = message({ required: flag(1), in: text(2), name: text(4), type: text(5), uniqueItems: flag(19) }, 22);
const notBody = either((value) => isJsonObject(value) && value["in"] === "path", nested(4, path), nested(3, query));
const parameter = either((value) => isJsonObject(value) && value["in"] === "body", nested(1, body), nested(2, notBody));
const reference = message({ $ref: text(1) }, 0);
const parameterOrReference = either(
  (value) => isJsonObject(value) && value["$ref"] !== undefined,
  nested(2, reference),
  nested(1, parameter),
);

const response = nested(1, message({ description: text(1), schema: nested(2, nested(1, schema)) }, 5));

const operation = message(
  {
    tags: each(text(1)),
    operationId: text(5),
    produces: each(text(6)),
    consumes: each(text(7)),
    parameters: each(nested(8, parameterOrReference)),
    responses: nested(9, named(1, response)),
    schemes: each(text(10)),
  },
  13,
);

const pathItem = message(
  {
    get: nested(2, operation),
    put: nested(3, operation),
    post: nested(4, operation),
    delete: nested(5, operation),
    patch: nested(8, operation),
    parameters: each(nested(9, parameterOrReference)),
  },
  10,
);

const swagger = message(
  {
    swagger: text(1),
    info: nested(2, message({ title: text(1), version: text(2) }, 7)),
    paths: nested(8, named(2, pathItem)),
    definitions: nested(9, named(1, schema)),
    parameters: nested(10, named(1, parameter)),
    security: each(nested(12, named(1, each(text(1))))),
    securityDefinitions: nested(13, named(1, nested(2, message({ type: text(1), name: text(2), in: text(3) }, 5)))),
  },
  16,
);

function either(isFirst: (value: JsonValue) => boolean, first: WriteMessage, second: WriteMessage): WriteMessage {
  return (out, value) => (isFirst(value) ? first : second)(out, value);
}
