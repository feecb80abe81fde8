import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, openBar, pour } from '../bar.ts';

const row = fc.integer({ min: 1, max: 5 });
const meter = fc.constantFrom('pi.flow0', 'pi.flow1', 'pi.flow2');
const ticks = fc.integer({ min: 1, max: 900 });

/** What comes from meters, and what staff do about it. Ids and days may refer to nothing: then it is refused. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pour' as const), meter, ticks, isHeld: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('drip' as const),
      meter,
      ticks,
      backFlowTicks: fc.nat({ max: 900 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('spillLoss' as const),
      tap: fc.constantFrom(1, 2),
      daysAgo: fc.oneof(fc.constant(0), fc.nat({ max: 3 })),
      loss: fc.constantFrom('drips' as const, 'back_flow' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), back: fc.nat({ max: 4 }) }) },
  fc.record({ do: fc.constant('spill' as const), meter, ticks }),
  fc.record({ do: fc.constant('report' as const), meter, ticks }),
  fc.record({ do: fc.constant('cancel' as const), row, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('keep' as const), row }),
  fc.record({ do: fc.constant('discard' as const), row }),
  fc.record({ do: fc.constant('split' as const), row, ticks: fc.integer({ min: 1, max: 299 }) }),
  fc.record({ do: fc.constant('join' as const), row, otherId: row }),
  fc.record({ do: fc.constant('endKeg' as const) }),
  // The last ticks were gas: all of them, too.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('gas' as const), ticks, gasTicks: ticks }) },
  fc.record({ do: fc.constant('answer' as const), isEmpty: fc.boolean() }),
  fc.record({ do: fc.constant('countAsBeer' as const), row }),
  fc.record({ do: fc.constant('setClock' as const) }),
);

/** One of each that the law is about: random ones may all be refused. */
const everyStep = [
  { do: 'drip', meter: 'pi.flow0', ticks: 50, backFlowTicks: 20 },
  { do: 'spillLoss', tap: 1, daysAgo: 0, loss: 'drips' },
  { do: 'gas', ticks: 600, gasTicks: 300 },
  { do: 'gas', ticks: 600, gasTicks: 600 },
  { do: 'answer', isEmpty: false },
  { do: 'undo', back: 0 },
].map((input) => ({ input: input as Step, hours: 0, synced: true }));

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Bar = ReturnType<typeof openBar>;

function runStep({ engine }: Bar, input: Step, now: Moment): unknown {
  const { drinks } = engine;
  const { pours } = engine.drinks;
  switch (input.do) {
    case 'pour':
      return pours.record(
        pour(now, { meter: input.meter, ticks: input.ticks, doubts: input.isHeld ? ['no_end'] : [] }),
        'pin',
        now,
      );
    case 'drip': {
      const backFlowTicks = Math.min(input.ticks, input.backFlowTicks);
      const drips = { ticks: input.ticks, drips: 1, backFlowTicks };
      return pours.countDrips({ byMeter: new Map([[input.meter, drips]]), counters: [] }, now);
    }
    case 'spillLoss': {
      const date = new Date(now.wallMs - input.daysAgo * 24 * hour).toISOString().slice(0, 10);
      const { tap } = engine.taps.find(input.tap)!;
      return engine.drinks.spilledLosses.spill(tap, date, input.loss, { actor: systemActor, now });
    }
    case 'undo': {
      const undoable = engine.audit.list({}).items.filter(({ undoKind, undoneBy }) => undoKind && !undoneBy);
      const id = undoable[input.back]?.id ?? 999;
      return engine.corrections.undo(id, {}, now);
    }
    case 'spill':
      return pours.spill({ tap: input.meter, ticks: input.ticks }, now);
    case 'report':
      return pours.report({ tap: input.meter, ticks: input.ticks, volumeMl: 100, source: 'post' }, now);
    case 'cancel':
      return drinks.cancel(input.row, input, now);
    case 'keep':
      return drinks.keep(input.row, {}, now);
    case 'discard':
      return drinks.discard(input.row, {}, now);
    case 'split':
      return drinks.split(input.row, input, now);
    case 'join':
      return drinks.join(input.row, input, now);
    case 'endKeg':
      return engine.kegs.end(engine.taps.find(1)!.tap.kegId ?? 99, now);
    case 'gas': {
      const gas = {
        class: 'gas',
        onsetMs: 1_000,
        ticks: Math.min(input.gasTicks, input.ticks),
        ratio: 2,
      } as const;
      return pours.record(pour(now, { ticks: input.ticks, gas }), 'pin', now);
    }
    case 'answer':
      return input.isEmpty ? engine.drinks.emptyKegs.confirm(1, now) : engine.drinks.emptyKegs.deny(1, now);
    case 'countAsBeer':
      return drinks.countAsBeer(input.row, {}, now);
    case 'setClock':
      return engine.drinks.clockCorrection.correct(now);
  }
}

/** Ticks by where they are recorded, of one meter. */
const recordedTicks = `SELECT
  (SELECT coalesce(sum(ticks), 0) FROM drinks WHERE meter = @meter) AS drinks,
  (SELECT coalesce(sum(ticks), 0) FROM spills WHERE meter = @meter) AS spills,
  (SELECT coalesce(sum(drink ->> '$.ticks'), 0) FROM cancelled_pours
    WHERE drink ->> '$.meter' = @meter AND drink ->> '$.joinedTo' IS NULL) AS cancelled,
  -- Those of cancelled drinks that are a spill, too.
  (SELECT coalesce(-sum(s.value ->> '$.ticks'), 0) FROM corrections c, json_each(c.after, '$.spills') s
    WHERE c.kind = 'rows' AND c.undone_by IS NULL AND s.value ->> '$.meter' = @meter) AS cancelledAsSpills`;

test('property: the ticks of a meter are those of its drinks, spills, deleted pours and named losses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-ticks-'));
  let runs = 0;
  const steps = fc.array(
    fc.record({ input: step, hours: fc.oneof(fc.constant(0), fc.nat({ max: 20 })), synced: fc.boolean() }),
    {
      minLength: 5,
      maxLength: 25,
      size: 'max',
    },
  );
  const outcomes = new Set<string>();
  try {
    fc.assert(
      fc.property(steps, fc.boolean(), (all, isClockSet) => {
        const file = join(folder, `${++runs}.sqlite`);
        const bar = openBar(file);
        for (const first of [at(1), at(2)]) bar.engine.drinks.pours.record(pour(first), 'pin', first);
        runStep(bar, { do: 'drip', meter: 'pi.flow0', ticks: 90, backFlowTicks: 40 }, at(3));
        const db = new Sqlite(file, { readonly: true });
        const byRecord = db.prepare<{ meter: string }, Record<string, number>>(recordedTicks);
        const losses = db.prepare<[number], Record<string, number>>(
          'SELECT * FROM tap_losses WHERE tap_id = ?',
        );
        // No day holds the drips of a meter without a tap.
        let withoutTap = 0;
        try {
          all.reduce((elapsedMs, { input, hours, synced }) => {
            const nowMs = elapsedMs + hours * hour + 60_000;
            // An unset clock is at a time before the newest known one, or after it.
            const now =
              isClockSet || synced
                ? at(nowMs)
                : at(nowMs, { synced: false, wallMs: at(nowMs % (30 * hour)).wallMs });
            try {
              runStep(bar, input, now);
              outcomes.add(input.do);
              if (input.do === 'drip' && input.meter === 'pi.flow2') withoutTap += input.ticks;
            } catch (refusal) {
              if (!(refusal instanceof AppError)) throw refusal;
              expect(['conflict', 'not_found', 'invalid_request']).toContain(refusal.code);
            }
            for (const { name, ticksTotal, tapId } of bar.engine.taps.hardware.meters()) {
              const recorded = byRecord.get({ meter: name })!;
              const lost = tapId === null ? [{ no_tap_ticks: withoutTap }] : losses.all(tapId);
              const inLosses = lost
                .flatMap((day) => Object.entries(day))
                .filter(([key]) => key.endsWith('_ticks'));
              const parts = { ...recorded, losses: inLosses.reduce((sum, [, count]) => sum + count, 0) };
              const out = Object.values(parts).reduce((sum, count) => sum + count, 0);
              expect(out, `${name} after ${JSON.stringify(input)}: ${JSON.stringify(parts)}`).toBe(
                ticksTotal,
              );
            }
            return nowMs;
          }, 0);
          expect(bar.engine.site.checkDatabase()).toEqual([]);
          expect(bar.store.faults()).toEqual([]);
        } finally {
          db.close();
          bar.store.close();
          rmSync(file);
        }
      }),
      { numRuns: propertyRuns(80), examples: [[everyStep, true]] },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // The random steps reach what the law is about.
  expect([...outcomes]).toEqual(expect.arrayContaining(['drip', 'spillLoss', 'undo', 'gas', 'answer']));
}, 120_000);
