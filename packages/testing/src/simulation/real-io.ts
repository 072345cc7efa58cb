import { createHook } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { callTrace } from "../call-site.ts";

/** Something that a reconcile began and the simulation does not hold in its hands. */
export interface RealIo {
  /** In words. */
  readonly what: string;
  /** Where it was begun, the innermost place first. */
  readonly stack: readonly string[];
}

/** What the names that node gives to asynchronous work stand for. Promises, ticks and immediates come to an end within a step, and are left out. */
const kinds: Readonly<Record<string, string>> = {
  Timeout: "a timer of the real clock",
  FSREQCALLBACK: "a file",
  FSREQPROMISE: "a file",
  FILEHANDLE: "a file",
  DIRHANDLE: "a folder",
  TCPWRAP: "a socket",
  TCPCONNECTWRAP: "a socket",
  TLSWRAP: "a socket",
  PIPEWRAP: "a pipe",
  UDPWRAP: "a socket",
  HTTPCLIENTREQUEST: "an HTTP request",
  HTTP2SESSION: "an HTTP/2 session",
  GETADDRINFOREQWRAP: "a lookup of a name",
  QUERYWRAP: "a lookup of a name",
  PROCESSWRAP: "a process",
  WORKER: "a thread",
  ZLIB: "compression in the thread pool",
  RANDOMBYTESREQUEST: "random bytes from the thread pool",
  PBKDF2REQUEST: "cryptography in the thread pool",
  SCRYPTREQUEST: "cryptography in the thread pool",
  HASHREQUEST: "cryptography in the thread pool",
  SIGNREQUEST: "cryptography in the thread pool",
  KEYPAIRGENREQUEST: "cryptography in the thread pool",
};

/** Something begun that may have been done at once. */
interface Begun extends RealIo {
  /** What node has made for it. */
  readonly resource: object;
  /** Whether it was begun by the Web Cryptography API, which does nothing at once. */
  readonly isPromised: boolean;
}

const fetchChannel = "undici:request:create";

/** Notes what is begun while `isInside` says so, until it is disposed of. */
export class RealIoGuard implements Disposable {
  readonly #found = new Map<string, Begun>();
  readonly #isInside: () => boolean;
  readonly #hook;
  readonly #noteFetch = (): void => this.#note("an HTTP request", {});

  constructor(isInside: () => boolean) {
    this.#isInside = isInside;
    this.#hook = createHook({ init: (_id, type, _trigger, resource) => this.#note(kinds[type], resource), trackPromises: false }).enable();
    subscribe(fetchChannel, this.#noteFetch);
  }

  #note(what: string | undefined, resource: object): void {
    if (what === undefined || !this.#isInside()) return;
    const whole = callTrace().stack ?? "";
    const stack = isCompressedAtOnce(whole) ? [] : placesOf(whole);
    if (stack.length === 0) return;
    const isPromised = /\bjobPromise \(node:internal\/crypto/.test(whole);
    this.#found.set(`${what} ${stack[0] ?? ""}`, { what, stack, resource, isPromised });
  }

  get found(): readonly RealIo[] {
    return [...this.#found.values()].filter((begun) => !isJobDoneAtOnce(begun)).map(({ what, stack }) => ({ what, stack }));
  }

  [Symbol.dispose](): void {
    this.#hook.disable();
    unsubscribe(fetchChannel, this.#noteFetch);
  }
}

/** To compress synchronously takes what compressing in the thread pool takes, and is done when it returns. */
function isCompressedAtOnce(stack: string): boolean {
  return /\bsyncBufferWrapper.* \(node:zlib/.test(stack);
}

/** `randomBytes(16)` and `generateKeyPairSync` are jobs as well, but those that go to the thread pool are told soon after they were begun whom to call when they are done. */
function isJobDoneAtOnce({ resource, isPromised }: Begun): boolean {
  return resource.constructor.name.endsWith("Job") && !isPromised && !("ondone" in resource);
}

/** The lines of a stack that are neither node's own nor of those who took it. */
function placesOf(stack: string): readonly string[] {
  return stack
    .split("\n")
    .slice(1)
    .map((line) => line.trim().replace(/^at /, ""))
    .filter((line) => !/node:|<anonymous>|\/(?:real-io|call-site)\.[jt]s:/.test(line));
}
