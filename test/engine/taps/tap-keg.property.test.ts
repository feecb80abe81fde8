import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { at, minute, openBar } from '../bar.ts';

const tapId = fc.integer({ min: 1, max: 5 });
const kegId = fc.integer({ min: 1, max: 8 });
const partId = fc.option(fc.integer({ min: 1, max: 6 }), { nil: null });
const name = fc.constantFrom('flow0', 'flow1', 'left');

/**
 * Actions of staff and guests within one minute, in any order. Ids may refer to nothing: then the action is
 * refused.
 */
const step = fc.oneof(
  fc.record({ do: fc.constant('newTap' as const) }),
  fc.record({ do: fc.constant('removeTap' as const), tapId }),
  fc.record({ do: fc.constant('undoTap' as const), tapId }),
  fc.record({ do: fc.constant('order' as const), renumbers: fc.boolean() }),
  fc.record({ do: fc.constant('newKeg' as const) }),
  fc.record({ do: fc.constant('removeKeg' as const), kegId }),
  fc.record({ do: fc.constant('changeKeg' as const), kegId, ml: fc.integer({ min: -1, max: 60_000 }) }),
  fc.record({ do: fc.constant('attach' as const), tapId, kegId }),
  fc.record({ do: fc.constant('start' as const), tapId }),
  fc.record({ do: fc.constant('endOnTap' as const), tapId }),
  fc.record({ do: fc.constant('endOffTap' as const), kegId }),
  fc.record({ do: fc.constant('reactivate' as const), kegId }),
  fc.record({ do: fc.constant('spill' as const), kegId, ml: fc.double({ min: 0, max: 900, noNaN: true }) }),
  fc.record({ do: fc.constant('pour' as const), meter: name, ticks: fc.integer({ min: 0, max: 900 }) }),
  fc.record({ do: fc.constant('meter' as const), tapId, partId }),
  fc.record({ do: fc.constant('toggle' as const), tapId, partId }),
  fc.record({ do: fc.constant('thermo' as const), tapId, partId }),
  fc.record({ do: fc.constant('newMeter' as const), name }),
  fc.record({ do: fc.constant('renameMeter' as const), partId, name }),
  fc.record({ do: fc.constant('removeMeter' as const), partId }),
  fc.record({ do: fc.constant('renameBoard' as const), name: fc.constantFrom('cellar', 'attic') }),
  fc.record({ do: fc.constant('removeBoard' as const) }),
  fc.record({ do: fc.constant('setClock' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Bar = ReturnType<typeof openBar>;

/** A controller whose hardware staff may change; the Pi's own comes from the configuration file. */
function secondController({ engine }: Bar) {
  const known = engine.taps.hardware.controllers().find(({ name }) => name !== 'pi');
  return known ?? engine.taps.hardware.createController({ name: 'cellar' });
}

function runStep(bar: Bar, input: Step, minutes: number): unknown {
  const { engine } = bar;
  const { kegs, taps } = engine;
  const { hardware } = engine.taps;
  const now = at(minutes * minute, minutes < 10 ? { synced: false } : {});
  const ale = { beverage: { name: 'Ale', producerName: 'Brewery', styleName: 'Ale' }, sizeKey: 'corny' };
  switch (input.do) {
    case 'newTap':
      return taps.create({ name: 'Garden' }, { actor: systemActor, now });
    case 'removeTap':
      return taps.remove(input.tapId, { actor: systemActor, now });
    case 'undoTap': {
      const change = engine.audit.latestCorrection('tap', { kind: 'tap', id: input.tapId });
      return change === null ? null : engine.corrections.undo(change, {}, now);
    }
    case 'order':
      return taps.setOrder({
        tapIds: taps
          .list()
          .map(({ tap }) => tap.id)
          .reverse(),
        renumbers: input.renumbers,
      });
    case 'newKeg':
      return kegs.create(ale, now);
    case 'removeKeg':
      return kegs.remove(input.kegId);
    case 'changeKeg':
      return kegs.change(input.kegId, { fullVolumeMl: input.ml, sizeKey: 'mini' }, at(0));
    case 'attach':
      return kegs.attach(input.tapId, input.kegId, now);
    case 'start':
      return kegs.start(input.tapId, ale, now);
    case 'endOnTap':
      return kegs.endOnTap(input.tapId, now);
    case 'endOffTap':
      return kegs.endOffTap(input.kegId, now);
    case 'reactivate':
      return kegs.reactivate(input.kegId);
    case 'spill':
      return kegs.spill(input.kegId, input.ml, now);
    case 'pour': {
      const tap = minutes % 2 === 0 ? 'pi.flow0' : `${secondController(bar).name}.${input.meter}`;
      return engine.drinks.pours.report({ tap, ticks: input.ticks, source: 'post' }, now);
    }
    case 'meter':
      return taps.connectMeter(input.tapId, input.partId, { actor: systemActor, now }, { moves: true });
    case 'toggle':
      return taps.connectToggle(input.tapId, input.partId, undefined, { moves: true });
    case 'thermo':
      return taps.connectThermo(input.tapId, input.partId);
    case 'newMeter':
      return hardware.createMeter({ controllerId: secondController(bar).id, portName: input.name });
    case 'renameMeter':
      return hardware.changeMeter(input.partId ?? 0, { portName: input.name });
    case 'removeMeter':
      return hardware.removeMeter(input.partId ?? 0);
    case 'renameBoard':
      return hardware.changeController(secondController(bar).id, { name: input.name });
    case 'removeBoard':
      return hardware.removeController(secondController(bar).id);
    case 'setClock':
      return engine.drinks.clockCorrection.correct({ ...now, synced: true });
  }
}

test('property: a keg is on one tap at most, its state matches, and the totals equal their sums', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const bar = openBar();
      const { engine, store } = bar;
      try {
        engine.temperatures.create({ rawName: 'cellar' });
        steps.forEach((input, minutes) => {
          try {
            runStep(bar, input, minutes);
          } catch (refusal) {
            if (!(refusal instanceof AppError)) throw refusal;
            expect(refusal.code).not.toBe('internal');
          }
        });
        const kegs = engine.kegs.list({ limit: 1_000 }).items;
        const taps = engine.taps.list().map(({ tap }) => tap);
        for (const keg of kegs) {
          const holders = taps.filter((tap) => tap.kegId === keg.id).length;
          expect(holders).toBe(keg.state === 'on_tap' ? 1 : 0);
          expect(keg.finishedTimeMs === null).toBe(keg.state !== 'finished');
        }
        const meters = taps.flatMap(({ meter }) => (meter === null ? [] : [meter.id]));
        expect(new Set(meters).size).toBe(meters.length);
        expect(new Set(taps.map(({ number }) => number)).size).toBe(taps.length);
        expect(taps.every(({ number }) => number >= 1)).toBe(true);
        expect(engine.site.checkDatabase()).toEqual([]);
        expect(store.faults()).toEqual([]);
      } finally {
        store.close();
      }
    }),
    { numRuns: 30 },
  );
}, 60_000);
