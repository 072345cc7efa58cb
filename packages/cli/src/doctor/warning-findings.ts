import { ApiError, isReason, objectKey } from "@kaji/core";
import { Event } from "@kaji/types/events/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { counted } from "../counted.ts";
import { readIfPresent } from "../deploy/apply-objects.ts";
import type { Finding } from "./finding.ts";

/** So many are told one by one. */
const shownWarnings = 5;

/** What the operator has complained about, as far as events go back: objects that keep failing, fields that another program changes too. Nobody can tell from an event whether it still holds, but of objects that are gone it does not. */
export async function warningFindings(session: ClusterSession, operator: string): Promise<readonly Finding[]> {
  const { items } = await session.client.list(Event, { fieldSelector: "type=Warning", signal: session.signal });
  const left = items
    .filter(({ reportingController }) => reportingController === operator)
    .toSorted((newer, older) => lastTime(older).localeCompare(lastTime(newer)));
  const findings: Finding[] = [];
  while (findings.length < shownWarnings) {
    const event = left.shift();
    if (event === undefined) break;
    if (await isAboutPresent(session, event)) findings.push(warningFinding(event));
  }
  if (findings.length === 0) return [{ state: "ok", subject: "warnings", text: `${operator} has told none lately` }];
  if (left.length === 0) return findings;
  const text = `there are ${counted(left.length, "more event")}`;
  return [...findings, { state: "unknown", subject: "warnings", text, remedy: "kubectl get events -A shows them" }];
}

/** Whether the object of an event is there, and not another one of its name. One that may not be looked at counts as there. */
async function isAboutPresent(session: ClusterSession, { regarding = {} }: Event): Promise<boolean> {
  const { apiVersion = "", kind = "", namespace, name = "", uid = "" } = regarding;
  const object = { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
  if (uid === "") return true;
  try {
    const resource = await session.client.discovery.resourceOf(object, session.signal);
    const live = await readIfPresent(session, resource, object);
    return live?.metadata.uid === uid;
  } catch (error) {
    if (error instanceof ApiError) return !isReason(error, "NotFound");
    throw error;
  }
}

function warningFinding(event: Event): Finding {
  const { kind = "", namespace, name = "" } = event.regarding ?? {};
  const times = counted(event.series?.count ?? 1, "time");
  return {
    state: "unknown",
    subject: `${kind} ${objectKey({ namespace, name })}`,
    text: `${event.reason} ${times}, at ${lastTime(event)} for the last time: ${event.note}`,
    remedy: "kubectl describe shows whether it goes on",
  };
}

function lastTime({ series, eventTime, metadata }: Event): string {
  return series?.lastObservedTime ?? eventTime ?? metadata.creationTimestamp ?? "";
}
