// Generated from the published facts of Kubernetes v1.36.3 by tools/generate. Do not edit.

import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";
import type { EventSource, ObjectReference } from "../core/v1.ts";

/** An object of the kind Event in events.k8s.io/v1. */
export interface Event {
  readonly apiVersion: "events.k8s.io/v1";
  readonly kind: "Event";
  readonly metadata: ObjectMeta;
  readonly eventTime: string;
  readonly series?: EventSeries;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly action?: string;
  readonly reason?: string;
  readonly regarding?: ObjectReference;
  readonly related?: ObjectReference;
  readonly note?: string;
  readonly type?: string;
  readonly deprecatedSource?: EventSource;
  readonly deprecatedFirstTimestamp?: string;
  readonly deprecatedLastTimestamp?: string;
  readonly deprecatedCount?: number;
}

/** The resource events in events.k8s.io/v1. */
export const Event: Resource<Event> = resource({ group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" });

export interface EventSeries {
  readonly count: number;
  readonly lastObservedTime: string;
}
