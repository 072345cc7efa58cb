/** The seconds of a `Retry-After` header; undefined when it is absent or, as API servers never write it, a date. */
export function retryAfterSeconds(header: string | readonly string[] | undefined): number | undefined {
  const [text = ""] = [header ?? ""].flat();
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}
