import { objectKey } from "@kaji/core";
import { Event } from "@kaji/types/events/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { counted } from "../counted.ts";
import type { Finding } from "./finding.ts";

/** So many are told one by one. */
const shownWarnings = 5;

/** What the operator has complained about, as far as events go back: objects that keep failing, fields that another program changes too. Nobody can tell from an event whether it still holds. */
export async function warningFindings({ client, signal }: ClusterSession, operator: string): Promise<readonly Finding[]> {
  const { items } = await client.list(Event, { fieldSelector: "type=Warning", signal });
  const warnings = items.filter(({ reportingController }) => reportingController === operator);
  if (warnings.length === 0) return [{ state: "ok", subject: "warnings", text: `${operator} has told none lately` }];
  const newestFirst = warnings.toSorted((left, right) => lastTime(right).localeCompare(lastTime(left)));
  const rest = newestFirst.length - shownWarnings;
  const more: readonly Finding[] =
    rest > 0
      ? [
          {
            state: "unknown",
            subject: "warnings",
            text: `there are ${counted(rest, "more event")}`,
            remedy: "kubectl get events -A shows them",
          },
        ]
      : [];
  return [...newestFirst.slice(0, shownWarnings).map(warningFinding), ...more];
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
