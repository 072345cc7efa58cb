/** Whether the API server takes a text for a `date-time`: it looks at the date and the ranges of the time, not at what follows. */
export function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  const [, hour = "", minute = "", second = ""] = /^(\d\d):(\d\d):(\d\d)([^\n]\d+)?(z|[+-]\d\d:\d\d)$/.exec(time ?? "") ?? [];
  return isDate(date) && hour !== "" && hour <= "23" && minute <= "59" && second <= "59";
}

/** Whether a text is a day of the calendar, such as `2024-02-29`. */
function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  // 2000 is a leap year like 0: the calendar repeats itself after 400 years, and Date takes years below 100 for 19xx.
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
