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

/**
 * An offset from UTC as `UTC+02:00`, a text that spreadsheets neither compute nor take for a time; seconds only where a zone had some, as
 * before the time of railways.
 */
export function utcOffsetText(offsetMs: number): string {
  const seconds = Math.abs(Math.round(offsetMs / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, '0'));
  return `UTC${offsetMs < 0 ? '-' : '+'}${hours}:${minutes}${rest === '00' ? '' : `:${rest}`}`;
}

/** Parses the text of `utcOffsetText`, milliseconds; null for anything else. */
export function parseUtcOffset(text: string): number | null {
  const parts = /^UTC([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (parts === null) return null;
  const [, sign, hours, minutes, seconds = '0'] = parts;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ms : ms;
}
