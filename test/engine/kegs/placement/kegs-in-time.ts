import fc from 'fast-check';
import { expect } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { at, type openEmptyBar, pour } from '../../bar.ts';

/** Half a second: glasses begin and end at whole seconds, staff act at the halves between, so that no act is at the end of a glass. */
const unitMs = 500;
const beer = { beverage: { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' }, sizeKey: 'euro' };

/** What staff do at the tap, each `after` seconds later than the act before, and how late they press the button. */
const act = fc.record({
  after: fc.integer({ min: 1, max: 40 }),
  late: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
  kind: fc.constantFrom('change' as const, 'change' as const, 'undo' as const, 'put back' as const),
});

type Bar = ReturnType<typeof openEmptyBar>;

/** Ways on which a glass is reported. */
const ways = ['pin', 'serial', 'post', 'device', 'manual'] as const;

/** A way that an extension adds: returns the drink's id. */
export type OtherWay = (
  bar: Bar,
  poured: { readonly ticks: number; readonly durationMs: number; readonly untilMs: number },
  now: ReturnType<typeof at>,
) => number;

/** A glass: `after` seconds after the one before it ended, reported `late` seconds after its end. */
const glassOf = (others: readonly OtherWay[]) =>
  fc.record({
    after: fc.integer({ min: 1, max: 25 }),
    seconds: fc.integer({ min: 1, max: 9 }),
    late: fc.oneof(fc.constant(8), fc.integer({ min: 1, max: 90 })),
    source: fc.constantFrom(...ways, ...others),
  });

/** When which keg was truly on the tap, half seconds; `until` null: still. */
interface Truth {
  readonly key: number;
  readonly from: number;
  until: number | null;
}

/** The keg that beer of this half second came from: that of the tap, else the one before or after it within the glass. */
function kegOf(
  truth: readonly Truth[],
  glassAt: { from: number; until: number },
  time: number,
): number | null {
  const on = (t: number) =>
    truth.find((one) => one.from <= t && (one.until === null || t < one.until))?.key ?? null;
  for (let t = time; t >= glassAt.from; t--) if (on(t) !== null) return on(t);
  for (let t = time; t < glassAt.until; t++) if (on(t) !== null) return on(t);
  return null;
}

/**
 * Each glass is of the kegs that were on the tap while it flowed, whenever it is reported on any of the ways and `others`, and
 * the button pressed.
 */
export function checkKegsInTime(open: () => Bar, others: readonly OtherWay[] = []): void {
  fc.assert(
    fc.property(
      fc.array(act, { maxLength: 7 }),
      fc.array(glassOf(others), { maxLength: 10 }),
      fc.boolean(),
      (acts, glasses, isFirstOnTap) => {
        const bar = open();
        const { engine, left } = bar;
        const undo = (id: number | null, now: ReturnType<typeof at>) =>
          engine.corrections.undo(id!, { actor: systemActor }, now);
        const truth: Truth[] = [];
        const kegIds = new Map<number, number>();
        const putBack = new Set<number>();
        /** What is pressed and reported when, half seconds. */
        const steps: { readonly time: number; readonly run: (now: ReturnType<typeof at>) => void }[] = [];
        const idOf = (key: number) => kegIds.get(key)!;
        const undoLatest = (key: number, now: ReturnType<typeof at>) =>
          undo(engine.audit.latestCorrection('keg', { kind: 'keg', id: idOf(key) }), now);
        const changedAt = (time: number, pressed: number) => ({
          changedAtMs: pressed === time ? undefined : at(time * unitMs).wallMs,
        });
        const start = (key: number, time: number, pressed: number) => {
          truth.push({ key, from: time, until: null });
          const run = (now: ReturnType<typeof at>) =>
            void kegIds.set(
              key,
              engine.kegs.start(left.id, beer, now, systemActor, changedAt(time, pressed)).id,
            );
          steps.push({ time: pressed, run });
        };
        let [time, pressed, keys] = [1, 1, 0];
        if (isFirstOnTap) start(++keys, time, pressed);
        for (const { after, late, kind } of acts) {
          time += 2 * after;
          pressed = Math.max(pressed, time + 2 * late);
          const last = truth.at(-1);
          const [actAt, pressedAt] = [time, pressed];
          if (kind === 'change' && last?.until !== null) start(++keys, actAt, pressedAt);
          else if (last === undefined) continue;
          else if (kind === 'change') {
            last.until = actAt;
            steps.push({
              time: pressedAt,
              run: (now) => void engine.kegs.endOnTap(left.id, now, systemActor, changedAt(actAt, pressedAt)),
            });
          } else if (last.until !== null) {
            // It was on the tap all the time.
            last.until = null;
            steps.push({
              time: pressedAt,
              run(now) {
                if (kind === 'undo') return undoLatest(last.key, now);
                engine.kegs.reactivate(idOf(last.key), { actor: systemActor, now });
                engine.kegs.attach(left.id, idOf(last.key), now, systemActor);
              },
            });
          } else if (kind === 'undo' && !putBack.has(last.key)) {
            // It was never on the tap.
            truth.pop();
            steps.push({ time: pressedAt, run: (now) => undoLatest(last.key, now) });
          }
          if (kind === 'put back' && last !== undefined) putBack.add(last.key);
        }
        const drinkIds: number[] = [];
        let end = 0;
        const poured = glasses.map(({ after, seconds, late, source }, i) => {
          const from = end + 2 * after;
          end = from + 2 * seconds;
          const until = end;
          const ticks = 60 * seconds;
          const series = Array.from({ length: seconds * 10 }, (_, bin) => `${bin * 100}:6`).join(' ');
          const own = { ticks, durationMs: seconds * 1_000, series, pourId: `glass-${i}` };
          steps.push({
            time: until + 2 * late,
            run(now) {
              if (typeof source === 'function') {
                drinkIds[i] = source(bar, { ...own, untilMs: at(until * unitMs).wallMs }, now);
                return;
              }
              const drink =
                source === 'pin' || source === 'serial'
                  ? engine.drinks.pours.record(pour(at(until * unitMs), own), source, now)
                  : engine.drinks.pours.report({ tap: 'pi.flow0', ...own, agoMs: late * 1_000, source }, now);
              drinkIds[i] = drink.id;
            },
          });
          return { from, until };
        });
        // In the order in which they happen; presses come first.
        for (const { time: when, run } of steps.toSorted((a, b) => a.time - b.time)) run(at(when * unitMs));

        const sums = new Map<number, number>();
        for (const [i, glassAt] of poured.entries()) {
          const expected: (readonly [number | null, number])[] = [];
          for (let t = glassAt.from; t < glassAt.until; t++) {
            const key = kegOf(truth, glassAt, t);
            const kegId = key === null ? null : idOf(key);
            const last = expected.at(-1);
            if (last?.[0] === kegId) expected[expected.length - 1] = [kegId, last[1] + 30];
            else expected.push([kegId, 30]);
            if (kegId !== null) sums.set(kegId, (sums.get(kegId) ?? 0) + 30);
          }
          const { drink } = engine.drinks.get(drinkIds[i]!)!;
          const parts = drink.parts ?? [drink];
          expect(parts.map(({ kegId, ticks }) => [kegId, ticks])).toEqual(expected);
          expect(parts.reduce((sum, { volumeMl }) => sum + volumeMl, 0)).toBeCloseTo(drink.volumeMl, 6);
          const mainTicks = Math.max(...expected.map(([, ticks]) => ticks));
          expect(expected).toContainEqual([drink.kegId, mainTicks]);
        }
        for (const { id, servedVolumeMl } of engine.kegs.list({ limit: 100 }).items)
          expect(servedVolumeMl).toBeCloseTo(sums.get(id) ?? 0, 5);
        expect(engine.site.checkDatabase()).toEqual([]);
      },
    ),
    { numRuns: propertyRuns(120) },
  );
}
