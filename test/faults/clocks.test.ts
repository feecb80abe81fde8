import { expect, test } from 'vitest';
import { fourMeters } from './fault-bar.ts';
import { note, seeded } from './figures.ts';
import {
  type ClockEvent,
  type KeptGlass,
  liveThrough,
  type Night,
  type PlannedGlass,
} from './paper-night.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Friday 1 May 2026, 20:00 in Berlin. */
const friday = Date.UTC(2026, 4, 1, 18);

/** How far a pour's time may be from the truth afterwards. */
const allowedMs = 1_000;

/** Glasses of an hour and a half, a pause longer than any session lasts, and one more hour: two gatherings. */
function glassesOf(seed: number): PlannedGlass[] {
  const random = seeded(seed);
  const draw = (sinceMs: number, untilMs: number, count: number) =>
    Array.from({ length: count }, (_, n): PlannedGlass => {
      const lengthMs = (untilMs - sinceMs) / count;
      const atMs = Math.round((sinceMs + (n + random() * 0.5) * lengthMs) / second) * second;
      const ticks = 300 + Math.floor(random() * 900);
      return { atMs, meter: fourMeters[n % 4]!, ticks, hz: 160 + Math.floor(random() * 160) };
    });
  return [...draw(5 * minute, 95 * minute, 8), ...draw(290 * minute, 340 * minute, 5)];
}

const glasses = glassesOf(7);
const lengthMs = 6 * hour;

/** Two seconds into the third glass, when it certainly runs. */
const midPourMs = glasses[2]!.atMs + second;
/** In the silence after the fourth. */
const betweenMs = glasses[3]!.atMs + 2 * minute;

const right: ClockEvent = { atMs: 0, wrongByMs: 0, service: 'present' };
const heard = (atMs: number, wrongByMs = 0): ClockEvent => ({ atMs, wrongByMs, service: 'present' });
const unheard = (wrongByMs: number, atMs = 0): ClockEvent => ({ atMs, wrongByMs, service: 'absent' });
const believed = (wrongByMs: number, atMs = 0): ClockEvent => ({ atMs, wrongByMs, service: 'unsupported' });

const usual: Night = { openingMs: friday, glasses, clock: [right], lengthMs };

const endsAtMs = ({ openingMs }: Night, { atMs, ticks, hz }: PlannedGlass) =>
  openingMs + atMs + ((ticks - 1) * 1_000) / hz;

/** Which gathering each drink belongs to, counted from the first. */
function gatherings(drinks: readonly KeptGlass[]): number[] {
  const known = [...new Set(drinks.map(({ sessionId }) => sessionId))];
  return drinks.map(({ sessionId }) => known.indexOf(sessionId));
}

const nights = new Map<number, readonly KeptGlass[]>();

/** What the night is in the ledger when nothing is wrong with any clock. */
function asItWas({ openingMs }: Night): readonly KeptGlass[] {
  const known = nights.get(openingMs) ?? liveThrough({ openingMs, glasses, clock: [right], lengthMs }).drinks;
  nights.set(openingMs, known);
  return known;
}
const stories: readonly (readonly [string, Partial<Night>])[] = [
  [
    'boots five months early, hears the time between two glasses',
    { clock: [unheard(-150 * day), heard(betweenMs)] },
  ],
  ['boots five months early, hears the time in mid-pour', { clock: [unheard(-150 * day), heard(midPourMs)] }],
  [
    'boots three months late, hears the time between two glasses',
    { clock: [unheard(90 * day), heard(betweenMs)] },
  ],
  ['boots three months late, hears the time in mid-pour', { clock: [unheard(90 * day), heard(midPourMs)] }],
  ['boots in 1970, hears the time when all have gone', { clock: [unheard(-friday), heard(350 * minute)] }],
  [
    'leaps back and forth while nobody has heard the time',
    {
      clock: [
        unheard(-10 * day),
        unheard(-11 * day, midPourMs),
        unheard(9 * day, betweenMs),
        heard(345 * minute),
      ],
    },
  ],
  [
    'is set from a phone in mid-pour, heard by itself later',
    { clock: [unheard(-150 * day), heard(310 * minute)], told: [{ atMs: midPourMs, wrongByMs: 400 }] },
  ],
  [
    'is believed an hour fast, and steps back in mid-pour',
    { clock: [believed(hour), believed(0, midPourMs)] },
  ],
  [
    'is believed four hours slow, and steps forward',
    { clock: [believed(-4 * hour), believed(0, betweenMs)] },
  ],
  ['had heard a wrong time, and steps back a day', { clock: [heard(0, day), heard(betweenMs)] }],
  [
    'is slewed and stepped by fractions of a second',
    { clock: [heard(0, 0), heard(midPourMs, -400), heard(betweenMs, 300)] },
  ],
  [
    'boots five months early, the program dying before it hears the time',
    {
      clock: [unheard(-150 * day), heard(betweenMs)],
      cuts: [{ atMs: glasses[1]!.atMs + 2 * minute, forMs: 3 * second, sameBoot: true }],
    },
  ],
  ['goes to summer time during the night', { openingMs: Date.UTC(2026, 2, 28, 22) }],
  ['goes back to winter time during the night', { openingMs: Date.UTC(2026, 9, 24, 22) }],
  [
    'lives through the leap day, unset until then',
    { openingMs: Date.UTC(2028, 1, 28, 22), clock: [unheard(-59 * day), heard(betweenMs)] },
  ],
  [
    'lives through New Year, unset until then',
    { openingMs: Date.UTC(2026, 11, 31, 22), clock: [unheard(-200 * day), heard(midPourMs)] },
  ],
  [
    'has its time zone changed while people drink',
    {
      zones: [
        { atMs: midPourMs - (midPourMs % second), timeZone: 'Pacific/Kiritimati' },
        { atMs: betweenMs, timeZone: 'America/Los_Angeles' },
        { atMs: 300 * minute, timeZone: 'Europe/Berlin' },
      ],
    },
  ],
];

for (const [what, story] of stories) {
  test(`a clock that ${what}: pour times are right, durations and order untouched, no session torn or merged`, (context) => {
    const night = { ...usual, ...story };
    const { drinks, unsound } = liveThrough(night);
    const was = asItWas(night);
    expect(was.map(({ ticks }) => ticks)).toEqual(glasses.map(({ ticks }) => ticks));
    expect(gatherings(was)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);

    const measured = ({ meter, ticks, durationMs }: KeptGlass) => ({ meter, ticks, durationMs });
    expect(drinks.map(measured)).toEqual(was.map(measured));
    const wrongMs = drinks.map(({ pourTimeMs }, n) => Math.abs(pourTimeMs - endsAtMs(night, glasses[n]!)));
    const worstMs = Math.max(...wrongMs);
    expect(worstMs).toBeLessThanOrEqual(allowedMs);
    expect(drinks.map(({ timeCertain }) => timeCertain)).not.toContain(false);
    const times = drinks.map(({ pourTimeMs }) => pourTimeMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(gatherings(drinks)).toEqual(gatherings(was));
    expect(unsound).toEqual([]);
    note(context, {
      what: `${what.charAt(0).toUpperCase()}${what.slice(1)}`,
      found: `${Math.round(worstMs)} ms off`,
      allowed: '1000 ms',
    });
  });
}

test('a Pi that loses its power before anybody told it the time marks those pours, keeps their order, and dates the later ones right', (context) => {
  const cutMs = glasses[3]!.atMs + 2 * minute;
  const night: Night = {
    ...usual,
    clock: [unheard(-150 * day), unheard(-149 * day, cutMs + minute), heard(glasses[5]!.atMs + minute)],
    cuts: [{ atMs: cutMs, forMs: minute }],
  };
  const { drinks, unsound } = liveThrough(night);
  expect(drinks.map(({ ticks }) => ticks)).toEqual(glasses.map(({ ticks }) => ticks));
  expect(drinks.map(({ timeCertain }) => timeCertain)).toEqual(glasses.map((_, n) => n > 3));
  const later = drinks
    .slice(4)
    .map(({ pourTimeMs }, n) => Math.abs(pourTimeMs - endsAtMs(night, glasses[n + 4]!)));
  expect(Math.max(...later)).toBeLessThanOrEqual(allowedMs);
  const times = drinks.map(({ pourTimeMs }) => pourTimeMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(unsound).toEqual([]);
  note(context, {
    what: 'Never hears the time before a power cut: those pours are marked, the later ones',
    found: `${Math.round(Math.max(...later))} ms off`,
    allowed: '1000 ms',
  });
});
