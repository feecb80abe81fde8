import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, minute, openBar, pour } from '../bar.ts';

const row = fc.integer({ min: 1, max: 14 });
const name = fc.constantFrom(null, 'ana', 'bob');
const ml = fc.double({ min: 0, max: 900, noNaN: true });
const keg = fc.constantFrom(null, 1, 2, 3);

/**
 * Corrections by staff. Ids may refer to nothing, or to what cannot be corrected: then the correction is
 * refused.
 */
const correction = fc.oneof(
  fc.record({ do: fc.constant('cancel' as const), row, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('reassign' as const), row, username: name }),
  fc.record({ do: fc.constant('edit' as const), row, volumeMl: ml, shout: fc.constantFrom('', 'Prost') }),
  fc.record({ do: fc.constant('move' as const), row, kegId: keg }),
  fc.record({ do: fc.constant('toTap' as const), row, tap: fc.constantFrom(1, 2) }),
  fc.record({ do: fc.constant('split' as const), row, volumeMl: ml, username: name }),
  fc.record({ do: fc.constant('splitTicks' as const), row, ticks: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ do: fc.constant('join' as const), row, otherId: row }),
  fc.record({ do: fc.constant('keep' as const), row, kegId: fc.constantFrom(undefined, null, 1, 2) }),
  fc.record({ do: fc.constant('discard' as const), row }),
  fc.record({
    do: fc.constant('assign' as const),
    drinks: fc.oneof(
      fc.constantFrom({ claimedUsername: 'ZOE' }, { authToken: 'core.rfid|0A' }),
      fc.record({ drinkIds: fc.uniqueArray(row, { minLength: 1, maxLength: 4 }) }),
    ),
    username: fc.constantFrom('ana', 'bob'),
  }),
  fc.record({ do: fc.constant('calibrate' as const), meter: fc.constantFrom(1, 2), kegId: keg }),
  fc.record({
    do: fc.constant('curve' as const),
    meter: fc.constantFrom(1, 2),
    kegId: keg,
    curve: fc.constantFrom(null, { points: [{ hz: 40, ticksPerMl: 1.1 }], offsetTicks: 3 }),
  }),
);

type Correction = typeof correction extends fc.Arbitrary<infer T> ? T : never;
type Bar = ReturnType<typeof openBarWithDrinks>;

/**
 * Three kegs, one of them finished, and ten pours in two sessions. The fifth and the last are held, the sixth and seventh
 * have an unset clock, the last three are without a user and were sent with a name or token.
 */
function openBarWithDrinks() {
  const bar = openBar();
  const { engine, right } = bar;
  for (const username of ['ana', 'bob']) engine.users.addUser({ username }, at(0));
  const beverage = { name: 'Stout', producerName: 'Brewery', styleName: '' };
  engine.kegs.start(right.id, { beverage }, at(0));
  engine.kegs.end(engine.kegs.create({ beverage }, at(20 * minute)).id, at(20 * minute));
  engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  const report = { tap: 'pi.flow0', source: 'post' } as const;
  engine.drinks.pours.report({ ...report, ticks: 417, username: 'ana', pourId: 'a' }, at(2 * minute));
  engine.drinks.pours.report({ ...report, ticks: 90, volumeMl: 88.8, username: 'ana' }, at(3 * minute));
  engine.drinks.pours.report({ ...report, tap: 'pi.flow1', ticks: 333, username: 'bob' }, at(500 * minute));
  engine.drinks.pours.record(
    pour(at(501 * minute), { doubts: ['no_end'], meter: 'pi.flow1' }),
    'pin',
    at(501 * minute),
  );
  const unset = at(502 * minute, { synced: false, wallMs: at(40 * minute).wallMs });
  engine.drinks.pours.record(pour(unset), 'pin', unset);
  engine.drinks.pours.record(pour(unset, { ticks: 20 }), 'pin', unset);
  const nobody = { tap: 'pi.flow0', ticks: 50, source: 'post' } as const;
  engine.drinks.pours.report({ ...nobody, username: 'Zoe' }, at(503 * minute));
  engine.drinks.pours.report({ ...nobody, authToken: 'core.rfid|0a' }, at(504 * minute));
  engine.drinks.pours.report({ ...nobody, tap: 'pi.flow2', username: 'zoe' }, at(505 * minute));
  return bar;
}

const now = at(600 * minute, { synced: false });

/** Returns the correction's number, or null when it was refused or changed nothing. */
function applyCorrection({ engine }: Bar, input: Correction): number | null {
  const latest = () => engine.audit.list({ limit: 1 }).items[0]?.id ?? 0;
  const before = latest();
  try {
    runCorrection(engine, input);
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
  }
  return latest() > before ? latest() : null;
}

function runCorrection({ drinks }: Pick<Bar['engine'], 'drinks'>, input: Correction): unknown {
  switch (input.do) {
    case 'toTap':
      return drinks.move(input.row, { tap: input.tap }, now);
    case 'splitTicks':
      return drinks.split(input.row, { ticks: input.ticks }, now);
    case 'keep':
      return drinks.keep(input.row, input.kegId === undefined ? {} : { kegId: input.kegId }, now);
    case 'calibrate':
      return drinks.calibrate(input.meter, { ticksPerMl: 1.7, kegId: input.kegId }, now);
    case 'curve':
      return drinks.calibrate(input.meter, { curve: input.curve, kegId: input.kegId }, now);
    case 'assign':
      return drinks.assignments.assign({ ...input, actor: systemActor }, now);
    case 'cancel':
      return drinks.cancel(input.row, input, now);
    case 'reassign':
      return drinks.reassign(input.row, input, now);
    case 'edit':
      return drinks.edit(input.row, input, now);
    case 'move':
      return drinks.move(input.row, input, now);
    case 'split':
      return drinks.split(input.row, input, now);
    case 'join':
      return drinks.join(input.row, input, now);
    case 'discard':
      return drinks.discard(input.row, {}, now);
  }
}

/** All drinks, totals and events; totals recomputed by a calibration may differ in their last digit. */
function databaseState({ engine, store }: Bar) {
  const drinks = [...engine.drinks.list({ limit: 1_000 }).items, ...engine.drinks.held()];
  const rounded = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value, (_key, one) => (typeof one === 'number' ? Number(one.toFixed(6)) : one)),
    ) as T;
  return rounded({
    drinks,
    rows: drinks.map(({ id }) => store.drinks.rows.byKey('drinks', id)),
    sessions: engine.lists.sessions({ limit: 1_000 }),
    kegs: engine.kegs.list({ limit: 1_000 }),
    meters: engine.taps.hardware.meters(),
    events: engine.drinks.events.list({ limit: 1_000 }),
    spills: [1, 2, 3, 4, 5].map((id) => store.drinks.rows.byKey('spills', id)),
    statistics: [
      engine.reports.statistics.get({ kind: 'site' }),
      engine.reports.statistics.get({ kind: 'keg', id: 1 }),
    ],
    cancelled: store.drinks.cancelledPour('a'),
    perDrinker: ['ana', 'bob'].map((username) => engine.lists.drinks({ username }).total),
  });
}

const sumTicks = (bar: Bar) => databaseState(bar).drinks.reduce((sum, { ticks }) => sum + ticks, 0);

test('property: undoing all corrections in reverse order restores the initial state', () => {
  fc.assert(
    fc.property(fc.array(correction, { minLength: 1, maxLength: 14 }), (corrections) => {
      const bar = openBarWithDrinks();
      try {
        const looks: { readonly id: number; readonly before: unknown }[] = [];
        for (const input of corrections) {
          const before = databaseState(bar);
          const ticks = sumTicks(bar);
          const id = applyCorrection(bar, input);
          if (id === null) {
            expect(databaseState(bar), `refused: ${JSON.stringify(input)}`).toEqual(before);
            continue;
          }
          if (input.do.startsWith('split') || input.do === 'join') expect(sumTicks(bar)).toBe(ticks);
          expect(bar.engine.site.checkDatabase(), JSON.stringify(input)).toEqual([]);
          looks.push({ id, before });
        }
        for (const { id, before } of looks.reverse()) {
          bar.engine.corrections.undo(id, {}, now);
          expect(databaseState(bar)).toEqual(before);
          expect(bar.engine.site.checkDatabase()).toEqual([]);
        }
        expect(bar.store.faults()).toEqual([]);
      } finally {
        bar.store.close();
      }
    }),
    { numRuns: propertyRuns(25) },
  );
}, 120_000);

test('property: out of order, an undo is refused or leaves correct totals', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: correction },
    fc.record({ do: fc.constant('undo' as const), row }),
    fc.record({ do: fc.constant('undoAny' as const), id: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ do: fc.constant('pour' as const), tap: fc.constantFrom('pi.flow0', 'pi.flow1') }),
    fc.record({ do: fc.constant('endKeg' as const), kegId: fc.constantFrom(1, 2) }),
    fc.record({ do: fc.constant('setClock' as const) }),
    fc.record({ do: fc.constant('timeout' as const), minutes: fc.constantFrom(0, 30, 180) }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const bar = openBarWithDrinks();
      const { engine } = bar;
      try {
        steps.forEach((input, index) => {
          const moment = at((600 + index) * minute);
          try {
            if (input.do === 'undo') engine.drinks.undo(input.row, {}, moment);
            else if (input.do === 'undoAny') engine.corrections.undo(input.id, {}, moment);
            else if (input.do === 'pour')
              engine.drinks.pours.report({ tap: input.tap, ticks: 100, source: 'post' }, moment);
            else if (input.do === 'endKeg') engine.kegs.end(input.kegId, moment);
            else if (input.do === 'setClock') engine.drinks.clockCorrection.correct(moment);
            else if (input.do === 'timeout')
              engine.users.changeSite({ sessionTimeoutMinutes: input.minutes });
            else runCorrection(engine, input);
          } catch (refusal) {
            if (!(refusal instanceof AppError)) throw refusal;
            expect(['conflict', 'not_found', 'invalid_request']).toContain(refusal.code);
          }
        });
        expect(engine.site.checkDatabase()).toEqual([]);
        expect(bar.store.faults()).toEqual([]);
      } finally {
        bar.store.close();
      }
    }),
    { numRuns: propertyRuns(25) },
  );
}, 120_000);
