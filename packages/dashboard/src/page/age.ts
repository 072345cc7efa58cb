const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago something was, as kubectl writes it but shorter: `12s`, `5m`, `3h`, `9d`. */
export function ageText(time: string | number | undefined, nowMs: number): string {
  const thenMs = typeof time === "string" ? Date.parse(time) : time;
  if (thenMs === undefined || Number.isNaN(thenMs)) return "";
  // Clocks differ: what comes from the near future is new.
  const ms = Math.max(0, nowMs - thenMs);
  if (ms < 2 * minuteMs) return `${Math.floor(ms / secondMs)}s`;
  if (ms < 2 * hourMs) return `${Math.floor(ms / minuteMs)}m`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)}h`;
  return `${Math.floor(ms / dayMs)}d`;
}
