import { offsetMs } from './local-days.ts';

/** Zones change their offset at whole quarters of an hour of UTC. */
const quarterMs = 900_000;

/**
 * Returns a conversion of instants to what clocks in a zone show, as if the zone were UTC, milliseconds. Finding an offset is
 * slow, so that of the quarter of an hour before is kept: rows of a table follow one another in time.
 */
export function shownTimes(timeZone: string): (ms: number) => number {
  let quarter = Number.NaN;
  let offset = 0;
  return (ms) => {
    const current = Math.floor(ms / quarterMs);
    if (current !== quarter) {
      quarter = current;
      offset = offsetMs(ms, timeZone);
    }
    return ms + offset;
  };
}

/** `2026-05-02 19:04:11`, which spreadsheets read as a time in every language. */
export const shownTimeText = (shownMs: number): string =>
  new Date(shownMs).toISOString().slice(0, 19).replace('T', ' ');
