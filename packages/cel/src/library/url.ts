import { ParseError } from "@kaji/core";
import { formatGoUrl, hostnameOf, parseGoUrl, parseRequestUri, portOf, queryOf, requestUriError } from "@kaji/core/go";
import type { GoUrl } from "@kaji/core/go";
import { declare, memberOverload, overload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { boolType, listType, mapType, namedType, stringType } from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { listOf } from "../value/list-value.ts";
import { mapOf } from "../value/map-value.ts";
import { ErrorValue } from "../value/value.ts";
import type { OpaqueValue, Value } from "../value/value.ts";

const urlName = "kubernetes.URL";
const urlType: Type<UrlValue> = namedType(urlName);

/** URLs and their parts. */
export const url: readonly FunctionDeclaration[] = [
  declare("url", overload("string_to_url", [stringType], urlType, read)),
  declare(
    "isURL",
    overload("is_url_string", [stringType], boolType, (text) => requestUriError(text) === undefined),
  ),
  part("getScheme", "url_get_scheme", ({ scheme }) => scheme),
  part("getHost", "url_get_host", ({ host }) => host),
  part("getHostname", "url_get_hostname", hostnameOf),
  part("getPort", "url_get_port", portOf),
  part("getEscapedPath", "url_get_escaped_path", ({ escapedPath }) => escapedPath),
  declare("getQuery", memberOverload("url_get_query", [urlType], mapType(stringType, listType(stringType)), query)),
];

class UrlValue implements OpaqueValue {
  readonly kind = "opaque";
  readonly typeName = urlName;
  readonly url: GoUrl;

  constructor(parsed: GoUrl) {
    this.url = parsed;
  }

  equals(other: OpaqueValue): boolean {
    return other.toString() === this.toString();
  }

  toString(): string {
    return formatGoUrl(this.url);
  }
}

function part(name: string, id: string, read: (parsed: GoUrl) => string): FunctionDeclaration {
  return declare(
    name,
    memberOverload(id, [urlType], stringType, (value) => read(value.url)),
  );
}

function read(text: string): UrlValue | ErrorValue {
  try {
    parseRequestUri(text);
    return new UrlValue(parseGoUrl(text));
  } catch (error) {
    if (error instanceof ParseError) return new ErrorValue(`URL parse error during conversion from string: ${error.message}`);
    throw error;
  }
}

function query(value: UrlValue): Value {
  return mapOf(Array.from(queryOf(value.url), ([key, values]) => [key, listOf(values)] as const));
}
