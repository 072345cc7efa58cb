import { isJsonObject, parseJson } from "@kaji/core";
import type { OperatorLink } from "./operator-link.ts";
import { steady } from "./write-signature.ts";

/** What there is outside the cluster, as one life of an operator reaches it: each call takes its time, and can be struck like a write. */
export function reachable(external: object, link: Pick<OperatorLink, "call">): object {
  return reachablePart(external, link, "", () => outsideText(external));
}

/** What the outside shows of itself, as JSON. Maps are objects in it, and Sets are lists in order. */
export function outsideText(external: object): string {
  return JSON.stringify(external, (_key, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(value);
    return value instanceof Set ? Array.from(value, (each) => JSON.stringify(each)).toSorted() : value;
  });
}

/** Several services may be outside, each with methods of its own. */
function reachablePart(part: object, link: Pick<OperatorLink, "call">, path: string, snapshot: () => string): object {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (isService(member)) return reachablePart(member, link, `${path}${String(name)}.`, snapshot);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) =>
        link.call({
          text: `${path}${String(name)}(${argumentsText(args)})`,
          act: async () => Reflect.apply(member, target, args),
          snapshot,
          signal: signalOf(args),
        });
    },
  });
}

/** Whether there is something to call in it, of its own or of its class. What is only held, such as a list, a record, bytes or a URL, is not. */
function isService(member: unknown): member is object {
  if (typeof member !== "object" || member === null) return false;
  if ([Array, Map, Set, Date].some((held) => member instanceof held)) return false;
  for (let level: object | null = member; level !== null && !isOfPlatform(level); level = Object.getPrototypeOf(level)) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(level));
    if (members.some(([name, { value }]) => name !== "constructor" && typeof value === "function")) return true;
  }
  return false;
}

/** Whether these are the members that a global class, such as `Object` or `URL`, gives to all that it makes. */
function isOfPlatform(prototype: object): boolean {
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  return typeof made === "function" && Reflect.get(globalThis, made.name) === made;
}

/** What ends a call, where it is among the arguments, or in one of them as `fetch` has it. */
function signalOf(args: readonly unknown[]): AbortSignal | undefined {
  for (const arg of args) {
    if (arg instanceof AbortSignal) return arg;
    if (typeof arg === "object" && arg !== null && "signal" in arg && arg.signal instanceof AbortSignal) return arg.signal;
  }
  return undefined;
}

function argumentsText(args: readonly unknown[]): string {
  // What ends a call is no part of what is asked.
  const asked = { args: args.filter((arg) => !(arg instanceof AbortSignal)) };
  const text = parseJson(JSON.stringify(asked, (_key, value: unknown) => (value instanceof AbortSignal ? undefined : value)));
  const steadyArgs = isJsonObject(text) ? steady(text["args"] ?? null) : null;
  return JSON.stringify(steadyArgs).slice(1, -1);
}
