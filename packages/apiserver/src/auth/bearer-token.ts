import { offeredProtocols } from "@kaji/core/web-socket";
import { unauthorized } from "@kaji/core/serving";
import { wantsWebSocket } from "../response/web-socket-response.ts";

type Headers = Readonly<Record<string, string>>;

/** The token that a client shows: in an `Authorization: Bearer` header, or among the subprotocols of a WebSocket. */
export function bearerToken({ headers }: { readonly headers: Headers }): string | undefined {
  return authorizationToken(headers) ?? subprotocolToken(headers);
}

/** What follows after the token is not looked at, as in the real server. */
function authorizationToken(headers: Headers): string | undefined {
  const [scheme = "", token = ""] = (headers["authorization"] ?? "").trim().split(" ", 2);
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

const subprotocolHeader = "sec-websocket-protocol";
const tokenPrefix = "base64url.bearer.authorization.k8s.io.";

/** Pages in a browser cannot set other headers of a WebSocket. Two tokens are refused, one that cannot be read, and one without another subprotocol, which is the one to be spoken. */
function subprotocolToken(headers: Headers): string | undefined {
  const offered = wantsWebSocket(headers) ? offeredProtocols(headers[subprotocolHeader]) : [];
  const [encoded, ...more] = offered.filter(isToken).map((name) => name.slice(tokenPrefix.length));
  if (encoded === undefined || (encoded === "" && more.length === 0)) return undefined;
  const bytes = Buffer.from(encoded, "base64url");
  const token = bytes.toString();
  const isReadable = bytes.toString("base64url") === encoded && Buffer.from(token).equals(bytes);
  if (!isReadable || more.length > 0 || offered.length === 1) throw unauthorized();
  return token;
}

/** The headers of a request for everybody who need not know its token. */
export function withoutSubprotocolToken(headers: Headers): Headers {
  const offered = headers[subprotocolHeader];
  if (offered === undefined || !offered.includes(tokenPrefix)) return headers;
  const others = offeredProtocols(offered).filter((name) => !isToken(name));
  return { ...headers, [subprotocolHeader]: others.join(", ") };
}

function isToken(name: string): boolean {
  return name.startsWith(tokenPrefix);
}
