/** Hours of a day, `HH:MM` each; they may cross midnight. */
export interface OpeningHours {
  readonly from: string;
  readonly until: string;
}

const timeOfDay = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const hours = `(${timeOfDay})-(${timeOfDay})`;

/** Opening hours as text, such as `16:00-02:00`, or an empty text for none. */
export const openingHoursPattern = `^(?:${hours})?$`;

const written = new RegExp(`^${hours}$`);

/** Parses `16:00-02:00`; null for any other text. */
export function parseOpeningHours(text: string | null): OpeningHours | null {
  const [, from, until] = written.exec(text ?? '') ?? [];
  return from === undefined || until === undefined ? null : { from, until };
}

export const formatOpeningHours = ({ from, until }: OpeningHours): string => `${from}-${until}`;

/** Whether `clock` (`HH:MM`) lies outside the opening hours; never without hours. */
export function isClosed(open: OpeningHours | null, clock: string): boolean {
  if (open === null || open.from === open.until) return false;
  return open.from < open.until
    ? clock < open.from || clock >= open.until
    : clock < open.from && clock >= open.until;
}
