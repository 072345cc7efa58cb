import { dns1123SubdomainErrors, invalidValue } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { has, optionalObject, stringField } from "../json-fields.ts";

/** What is wrong with how a pod or container runs on Windows. */
export function validateWindowsOptions(context: JsonObject, path: FieldPath): readonly FieldError[] {
  const options = optionalObject(context, "windowsOptions");
  if (options === undefined) return [];
  const at = path.child("windowsOptions");
  const problems = {
    gmsaCredentialSpecName: dns1123SubdomainErrors,
    gmsaCredentialSpec: credentialProblems,
    runAsUserName: userProblems,
  };
  return Object.entries(problems).flatMap(([name, problemsOf]) => {
    if (!has(options, name)) return [];
    const value = stringField(options, name);
    return problemsOf(value).map((problem) => invalidValue(at.child(name), value, problem));
  });
}

const longestCredentialKib = 64;

function credentialProblems(spec: string): readonly string[] {
  if (spec === "") return ["gmsaCredentialSpec cannot be an empty string"];
  return Buffer.byteLength(spec) > longestCredentialKib * 1024 ? [`gmsaCredentialSpec size must be under ${longestCredentialKib} KiB`] : [];
}

const longestDomain = 255;
const longestUser = 104;
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsName = new RegExp(String.raw`^${dnsLabel}(?:\.${dnsLabel})*$`);

function userProblems(name: string): readonly string[] {
  const parts = name.split("\\");
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (/[\p{Cc}&&\p{ASCII}]/v.test(name)) return ["runAsUserName cannot contain control characters"];
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 1 ? undefined : (parts[0] ?? "");
  const problems: string[] = [];
  if (Buffer.byteLength(domain ?? "") > longestDomain) {
    problems.push(`runAsUserName's Domain length must be under ${longestDomain + 1} characters`);
  }
  if (domain !== undefined && !netBiosName.test(domain) && !dnsName.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (Buffer.byteLength(user) > longestUser) {
    problems.push(`runAsUserName's User length must not be longer than ${longestUser} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push(String.raw`runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`);
  }
  return problems;
}
