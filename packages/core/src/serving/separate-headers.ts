import type { Credentials } from "./credentials.ts";

/** The values of each header, by its name in lower case. */
export type SeparateHeaders = ReadonlyMap<string, readonly string[]>;

/** The headers of a request, each with its values as they were sent: the name of a group may have a comma in it, so that headers which came joined would not be safe to take apart. */
export function separateHeaders({ headers, rawHeaders }: Pick<Credentials, "headers" | "rawHeaders">): SeparateHeaders {
  if (rawHeaders === undefined) return new Map(Object.entries(headers).map(([name, value]) => [name, value.split(", ")]));
  const result = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const values = result.get(name) ?? [];
    values.push(rawHeaders[index + 1] ?? "");
    result.set(name, values);
  }
  return result;
}
