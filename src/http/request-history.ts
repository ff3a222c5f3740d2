/** Counts the responses of this process by hour, for the overview of the console. It keeps 24 hours. */

/** Requests and server errors (5xx) by the start of the hour, in ms since 1970. */
export type RequestHistory = Record<string, [requests: number, errors: number]>;

export const hourMs = 3_600_000;
const hoursKept = 24;

const history: RequestHistory = {};
let currentHour = 0;
let currentCounts: [number, number] = [0, 0];

/** Counts a response. */
export function countResponse(status: number, now = Date.now()): void {
  if (now < currentHour || now >= currentHour + hourMs) startHour(now - (now % hourMs));
  currentCounts[0] += 1;
  if (status >= 500) currentCounts[1] += 1;
}

function startHour(hour: number): void {
  currentHour = hour;
  history[hour] ??= [0, 0];
  currentCounts = history[hour];
  for (const key of Object.keys(history)) {
    if (Number(key) <= hour - hoursKept * hourMs) delete history[key];
  }
}

/** Returns the counts of this process. */
export const requestHistory = (): RequestHistory => structuredClone(history);

/** Adds the counts of several processes. */
export function sumHistories(all: readonly RequestHistory[]): RequestHistory {
  const sum: RequestHistory = {};
  for (const one of all) {
    for (const [hour, [requests, errors]] of Object.entries(one)) {
      sum[hour] ??= [0, 0];
      sum[hour][0] += requests;
      sum[hour][1] += errors;
    }
  }
  return sum;
}

/** Returns the last 24 hours, oldest first, with zeros for hours without requests. */
export function lastDay(
  history: RequestHistory,
  now: number,
): { hourTs: number; requests: number; errors: number }[] {
  const last = now - (now % hourMs);
  return Array.from({ length: hoursKept }, (_, index) => {
    const hourTs = last - (hoursKept - 1 - index) * hourMs;
    const [requests, errors] = history[hourTs] ?? [0, 0];
    return { hourTs, requests, errors };
  });
}
