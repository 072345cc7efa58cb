const place = "kaji-dashboard-token";

/** Takes the token out of the address it was printed in and keeps it for all tabs of this dashboard; nobody sees it in the address after that. */
export function takeToken(): void {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  localStorage.setItem(place, token);
  history.replaceState(undefined, "", "#/");
}

/** The token that was taken last; empty where there was none. */
export function storedToken(): string {
  return localStorage.getItem(place) ?? "";
}
