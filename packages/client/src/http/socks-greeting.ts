import { isIPv4, isIPv6 } from "node:net";
import type { GreetingStep, ProxyGreeting } from "./proxy-greeting.ts";
import { proxyUser } from "./proxy-url.ts";
import { hostOf } from "./tls-host.ts";

const version = 5;
const passwordVersion = 1;
const [withoutUser, withPassword] = [0, 2];
const connectCommand = 1;
const [ipv4, named, ipv6] = [1, 3, 4];

/** What a proxy says when it cannot connect, by its code. */
const refusals: readonly string[] = [
  "it has failed",
  "its rules do not allow it",
  "the network cannot be reached",
  "the server cannot be reached",
  "the server refused the connection",
  "the server is too far away",
  "it does not connect for others",
  "it does not know such addresses",
];

/** SOCKS 5 (RFC 1928), with a name and a password (RFC 1929) if the URL of the proxy has them. */
export class SocksGreeting implements ProxyGreeting {
  readonly opening: Uint8Array;
  readonly #user: ReturnType<typeof proxyUser>;
  readonly #server: URL;
  /** What the proxy says next: by which method we show who we are, whether that was accepted, or whether it has connected. */
  #awaited: "Admission" | "Connection" | "Method" = "Method";

  constructor(proxy: URL, server: URL) {
    this.#user = proxyUser(proxy);
    this.#server = server;
    const methods = this.#user === undefined ? [withoutUser] : [withoutUser, withPassword];
    this.opening = Buffer.from([version, methods.length, ...methods]);
  }

  answer(said: Buffer): GreetingStep | undefined {
    if (said.byteLength < 2) return undefined;
    const [first, second = 0] = said;
    switch (this.#awaited) {
      case "Method":
        if (first !== version) throw new Error("the proxy does not speak SOCKS 5");
        return this.#identify(second);
      case "Admission":
        if (second !== 0) throw new Error("the proxy does not accept the user and the password");
        return this.#connect();
      case "Connection":
        if (second !== 0) throw new Error(`the proxy cannot connect to the server: ${refusals[second - 1] ?? `code ${second}`}`);
        return connected(said);
      default:
        return this.#awaited satisfies never;
    }
  }

  #identify(method: number): GreetingStep {
    if (method === withoutUser) return this.#connect();
    if (this.#user === undefined) throw new Error("the proxy wants a user and a password");
    if (method !== withPassword) throw new Error("the proxy wants to know in another way who we are");
    this.#awaited = "Admission";
    const { name, password } = this.#user;
    return { read: 2, say: Buffer.from([passwordVersion, ...counted(name), ...counted(password)]) };
  }

  #connect(): GreetingStep {
    this.#awaited = "Connection";
    return { read: 2, say: connectRequest(this.#server) };
  }
}

/** From which address the proxy has connected does not matter, but it has to be read. */
function connected(said: Buffer): GreetingStep | undefined {
  const [, , , type, first = 0] = said;
  const length = 6 + (type === ipv4 ? 4 : type === ipv6 ? 16 : 1 + first);
  return said.byteLength < length ? undefined : { read: length, say: undefined };
}

function connectRequest(server: URL): Uint8Array {
  const host = hostOf(server);
  const port = server.port === "" ? 443 : Number(server.port);
  return Buffer.from([version, connectCommand, 0, ...addressOf(host), port >> 8, port & 255]);
}

/** Names are left to the proxy, which may know others than we do. */
function addressOf(host: string): readonly number[] {
  if (isIPv4(host)) return [ipv4, ...host.split(".").map(Number)];
  return isIPv6(host) ? [ipv6, ...groupsOf(host).flatMap((group) => [group >> 8, group & 255])] : [named, ...counted(host)];
}

/** The eight numbers of an address. That of a URL has no dots in it. */
function groupsOf(address: string): readonly number[] {
  const [before = "", after] = address.split("::");
  const numbers = (text: string): readonly number[] => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [left, right] = [numbers(before), numbers(after ?? "")];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

/** A text behind its length. */
function counted(text: string): readonly number[] {
  const bytes = Buffer.from(text);
  if (bytes.byteLength > 255) throw new Error("a SOCKS proxy cannot be told a name or password of more than 255 bytes");
  return [bytes.byteLength, ...bytes];
}
