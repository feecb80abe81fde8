import { expect, test } from 'vitest';
import {
  type ClockEvent,
  type ClockScenario,
  type PlannedPour,
  runScenario,
  type StoredDrink,
} from './clock-scenario.ts';
import { fourMeters } from './fault-bar.ts';
import { recordMeasurement, seededRandom } from './measurements.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Friday 1 May 2026, 20:00 in Berlin. */
const fridayEveningMs = Date.UTC(2026, 4, 1, 18);

/** Largest error of a pour's time after correction. */
const allowedMs = 1_000;

/** Two sessions: eight pours in 90 minutes, a pause longer than the session time-out, five pours in 50 minutes. */
function planPours(seed: number): PlannedPour[] {
  const random = seededRandom(seed);
  const planBetween = (sinceMs: number, untilMs: number, count: number) =>
    Array.from({ length: count }, (_, n): PlannedPour => {
      const lengthMs = (untilMs - sinceMs) / count;
      const atMs = Math.round((sinceMs + (n + random() * 0.5) * lengthMs) / second) * second;
      const ticks = 300 + Math.floor(random() * 900);
      return { atMs, meter: fourMeters[n % 4]!, ticks, hz: 160 + Math.floor(random() * 160) };
    });
  return [...planBetween(5 * minute, 95 * minute, 8), ...planBetween(290 * minute, 340 * minute, 5)];
}

const pours = planPours(7);
const lengthMs = 6 * hour;

/** One second into the third pour, which takes longer. */
const midPourMs = pours[2]!.atMs + second;
/** After the fourth pour. */
const betweenMs = pours[3]!.atMs + 2 * minute;

const correctClock: ClockEvent = { atMs: 0, wrongByMs: 0, service: 'present' };
const synchronized = (atMs: number, wrongByMs = 0): ClockEvent => ({ atMs, wrongByMs, service: 'present' });
const unsynchronized = (wrongByMs: number, atMs = 0): ClockEvent => ({ atMs, wrongByMs, service: 'absent' });
const trusted = (wrongByMs: number, atMs = 0): ClockEvent => ({ atMs, wrongByMs, service: 'unsupported' });

const defaultScenario: ClockScenario = { openingMs: fridayEveningMs, pours, clock: [correctClock], lengthMs };

const endTimeMs = ({ openingMs }: ClockScenario, { atMs, ticks, hz }: PlannedPour) =>
  openingMs + atMs + ((ticks - 1) * 1_000) / hz;

/** The session of each drink, numbered from 0. */
function sessionIndexes(drinks: readonly StoredDrink[]): number[] {
  const known = [...new Set(drinks.map(({ sessionId }) => sessionId))];
  return drinks.map(({ sessionId }) => known.indexOf(sessionId));
}

const baselines = new Map<number, readonly StoredDrink[]>();

/** The stored drinks of the same pours with a correct clock. */
async function baselineDrinks({ openingMs }: ClockScenario): Promise<readonly StoredDrink[]> {
  const known =
    baselines.get(openingMs) ??
    (await runScenario({ openingMs, pours, clock: [correctClock], lengthMs })).drinks;
  baselines.set(openingMs, known);
  return known;
}
const scenarios: readonly (readonly [string, Partial<ClockScenario>])[] = [
  [
    'boots five months early and is synchronized between two pours',
    { clock: [unsynchronized(-150 * day), synchronized(betweenMs)] },
  ],
  [
    'boots five months early and is synchronized during a pour',
    { clock: [unsynchronized(-150 * day), synchronized(midPourMs)] },
  ],
  [
    'boots three months late and is synchronized between two pours',
    { clock: [unsynchronized(90 * day), synchronized(betweenMs)] },
  ],
  [
    'boots three months late and is synchronized during a pour',
    { clock: [unsynchronized(90 * day), synchronized(midPourMs)] },
  ],
  [
    'boots in 1970 and is synchronized after the last pour',
    { clock: [unsynchronized(-fridayEveningMs), synchronized(350 * minute)] },
  ],
  [
    'jumps back and forth while it is not synchronized',
    {
      clock: [
        unsynchronized(-10 * day),
        unsynchronized(-11 * day, midPourMs),
        unsynchronized(9 * day, betweenMs),
        synchronized(345 * minute),
      ],
    },
  ],
  [
    'is set from a phone during a pour and synchronized later',
    {
      clock: [unsynchronized(-150 * day), synchronized(310 * minute)],
      manualTimes: [{ atMs: midPourMs, wrongByMs: 400 }],
    },
  ],
  [
    'is trusted while an hour fast and steps back during a pour',
    { clock: [trusted(hour), trusted(0, midPourMs)] },
  ],
  [
    'is trusted while four hours slow and steps forward',
    { clock: [trusted(-4 * hour), trusted(0, betweenMs)] },
  ],
  [
    'was synchronized to a wrong time and steps back a day',
    { clock: [synchronized(0, day), synchronized(betweenMs)] },
  ],
  [
    'is slewed and stepped by fractions of a second',
    { clock: [synchronized(0, 0), synchronized(midPourMs, -400), synchronized(betweenMs, 300)] },
  ],
  [
    'boots five months early, with a restart of the program before it is synchronized',
    {
      clock: [unsynchronized(-150 * day), synchronized(betweenMs)],
      cuts: [{ atMs: pours[1]!.atMs + 2 * minute, forMs: 3 * second, sameBoot: true }],
    },
  ],
  ['changes to summer time during the scenario', { openingMs: Date.UTC(2026, 2, 28, 22) }],
  ['changes to winter time during the scenario', { openingMs: Date.UTC(2026, 9, 24, 22) }],
  [
    'passes the leap day and is not set until then',
    { openingMs: Date.UTC(2028, 1, 28, 22), clock: [unsynchronized(-59 * day), synchronized(betweenMs)] },
  ],
  [
    'passes New Year and is not set until then',
    { openingMs: Date.UTC(2026, 11, 31, 22), clock: [unsynchronized(-200 * day), synchronized(midPourMs)] },
  ],
  [
    'has its time zone changed between and during pours',
    {
      zones: [
        { atMs: midPourMs - (midPourMs % second), timeZone: 'Pacific/Kiritimati' },
        { atMs: betweenMs, timeZone: 'America/Los_Angeles' },
        { atMs: 300 * minute, timeZone: 'Europe/Berlin' },
      ],
    },
  ],
];

for (const [what, changes] of scenarios) {
  test(`a clock that ${what}: pour times are right, durations and order are unchanged, no session is split or merged`, async (context) => {
    const scenario = { ...defaultScenario, ...changes };
    const { drinks, integrityErrors } = await runScenario(scenario);
    const expected = await baselineDrinks(scenario);
    expect(expected.map(({ ticks }) => ticks)).toEqual(pours.map(({ ticks }) => ticks));
    expect(sessionIndexes(expected)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);

    const toMeasured = ({ meter, ticks, durationMs }: StoredDrink) => ({ meter, ticks, durationMs });
    expect(drinks.map(toMeasured)).toEqual(expected.map(toMeasured));
    const errorsMs = drinks.map(({ pourTimeMs }, n) => Math.abs(pourTimeMs - endTimeMs(scenario, pours[n]!)));
    const maxErrorMs = Math.max(...errorsMs);
    expect(maxErrorMs).toBeLessThanOrEqual(allowedMs);
    expect(drinks.map(({ timeCertain }) => timeCertain)).not.toContain(false);
    const times = drinks.map(({ pourTimeMs }) => pourTimeMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(sessionIndexes(drinks)).toEqual(sessionIndexes(expected));
    expect(integrityErrors).toEqual([]);
    recordMeasurement(context, {
      what: `${what.charAt(0).toUpperCase()}${what.slice(1)}`,
      found: `${Math.round(maxErrorMs)} ms off`,
      allowed: '1000 ms',
    });
  });
}

test('pours before a power cut on a clock that was never set are marked and keep their order, later ones get the right time', async (context) => {
  const cutMs = pours[3]!.atMs + 2 * minute;
  const scenario: ClockScenario = {
    ...defaultScenario,
    clock: [
      unsynchronized(-150 * day),
      unsynchronized(-149 * day, cutMs + minute),
      synchronized(pours[5]!.atMs + minute),
    ],
    cuts: [{ atMs: cutMs, forMs: minute }],
  };
  const { drinks, integrityErrors } = await runScenario(scenario);
  expect(drinks.map(({ ticks }) => ticks)).toEqual(pours.map(({ ticks }) => ticks));
  expect(drinks.map(({ timeCertain }) => timeCertain)).toEqual(pours.map((_, n) => n > 3));
  const laterErrorsMs = drinks
    .slice(4)
    .map(({ pourTimeMs }, n) => Math.abs(pourTimeMs - endTimeMs(scenario, pours[n + 4]!)));
  expect(Math.max(...laterErrorsMs)).toBeLessThanOrEqual(allowedMs);
  const times = drinks.map(({ pourTimeMs }) => pourTimeMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(integrityErrors).toEqual([]);
  recordMeasurement(context, {
    what: 'Not synchronized before a power cut: those pours are marked, the later ones',
    found: `${Math.round(Math.max(...laterErrorsMs))} ms off`,
    allowed: '1000 ms',
  });
});
