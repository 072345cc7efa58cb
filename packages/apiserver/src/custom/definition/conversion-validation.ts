import { X509Certificate } from "node:crypto";
import { ParseError, dns1035LabelErrors, dns1123SubdomainErrors, forbiddenField, invalidValue, notSupported, required } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { parseGoUrl } from "@kaji/core/go";
import type { CrdConversion, WebhookClientConfig } from "./crd.ts";

const strategies = ["None", "Webhook"];
const reviewVersions = ["v1", "v1beta1"];

/** What is wrong with how a definition wants objects converted. */
export function validateConversion(
  { strategy = "", webhook }: Partial<CrdConversion>,
  path: FieldPath,
  { allowsAnyCaBundle }: { readonly allowsAnyCaBundle: boolean },
): readonly FieldError[] {
  const strategyPath = path.child("strategy");
  const clientPath = path.child("webhookClientConfig");
  const versionsPath = path.child("conversionReviewVersions");
  const { clientConfig, conversionReviewVersions } = webhook ?? {};
  const reviews = conversionReviewVersions ?? [];
  const errors: FieldError[] = [];
  if (strategy === "") errors.push(required(strategyPath));
  else if (!strategies.includes(strategy)) errors.push(notSupported(strategyPath, strategy, strategies));
  if (strategy === "Webhook") {
    if (clientConfig === undefined) errors.push(required(clientPath, "required when strategy is set to Webhook"));
    else errors.push(...validateWebhookClient(clientConfig, clientPath, { allowsAnyCaBundle }));
    return [...errors, ...reviewVersionErrors(reviews, versionsPath)];
  }
  const rule = "should not be set when strategy is not set to Webhook";
  if (clientConfig !== undefined) errors.push(forbiddenField(clientPath, rule));
  if (reviews.length > 0) errors.push(forbiddenField(versionsPath, rule));
  return errors;
}

/** Whether base64 holds PEM with a certificate in it; nothing at all is fine, too. */
export function isCaBundle(base64: string): boolean {
  if (base64 === "") return true;
  const pem = Buffer.from(base64, "base64").toString("latin1");
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  return blocks.some(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** What is wrong with where a webhook is. */
export function validateWebhookClient(
  { url, service, caBundle = "" }: WebhookClientConfig,
  path: FieldPath,
  { allowsAnyCaBundle }: { readonly allowsAnyCaBundle: boolean },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((url === undefined) === (service === undefined)) errors.push(required(path, "exactly one of url or service is required"));
  else if (url !== undefined) errors.push(...urlErrors(url, path.child("url")));
  else if (service !== undefined) errors.push(...serviceErrors(service, path.child("service")));
  if (!allowsAnyCaBundle && !isCaBundle(caBundle)) {
    errors.push(invalidValue(path.child("caBundle"), caBundle, "unable to load root certificates: unable to parse bytes as PEM block"));
  }
  return errors;
}

function urlErrors(text: string, path: FieldPath): readonly FieldError[] {
  const form = "; desired format: https://host[/path]";
  try {
    const { scheme, host, user, query, fragment } = parseGoUrl(text);
    const errors: FieldError[] = [];
    if (scheme !== "https") errors.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme${form}`));
    if (host === "") errors.push(invalidValue(path, host, `host must be specified${form}`));
    if (user !== undefined) errors.push(invalidValue(path, user, "user information is not permitted in the URL"));
    if (fragment !== "") errors.push(invalidValue(path, fragment, "fragments are not permitted in the URL"));
    if (query !== "") errors.push(invalidValue(path, query, "query parameters are not permitted in the URL"));
    return errors;
  } catch (error) {
    if (error instanceof ParseError) return [required(path, `url must be a valid URL: ${error.message}${form}`)];
    throw error;
  }
}

type Service = NonNullable<WebhookClientConfig["service"]>;

/** Upstream mixes up name and namespace, which shows when just one of them is missing. */
function serviceErrors({ name = "", namespace = "", path: urlPath = "", port = 443 }: Service, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (namespace === "") errors.push(required(path.child("name")));
  if (name === "") errors.push(required(path.child("namespace")));
  if (port < 1 || port > 65_535) {
    errors.push(invalidValue(path.child("port"), port, "port is not valid: must be between 1 and 65535, inclusive"));
  }
  return [...errors, ...urlPathErrors(urlPath, path.child("path"))];
}

function urlPathErrors(urlPath: string, path: FieldPath): readonly FieldError[] {
  if (urlPath === "" || urlPath === "/") return [];
  if (urlPath === "//") return [invalidValue(path, urlPath, "segment[0] may not be empty")];
  const errors = urlPath.startsWith("/") ? [] : [invalidValue(path, urlPath, "must start with a '/'")];
  const segments = urlPath.slice(1).replace(/\/$/, "").split("/");
  for (const [index, segment] of segments.entries()) {
    const problems =
      segment === ""
        ? [`segment[${index}] may not be empty`]
        : dns1123SubdomainErrors(segment).map((problem) => `segment[${index}]: ${problem}`);
    errors.push(...problems.map((problem) => invalidValue(path, urlPath, problem)));
  }
  return errors;
}

function reviewVersionErrors(versions: readonly string[], path: FieldPath): readonly FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalidValue(path.index(index), version, "duplicate version")];
    return dns1035LabelErrors(version).map((problem) => invalidValue(path.index(index), version, problem));
  });
  if (versions.some((version) => reviewVersions.includes(version))) return errors;
  return [...errors, invalidValue(path, versions, `must include at least one of ${reviewVersions.join(", ")}`)];
}
