import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { stock } from '../../../../src/extensions/stock/extension.ts';
import { at, hour, minute, openBar } from '../../../engine/bar.ts';
import { switchOn } from '../../../kit/extensions.ts';

const switchedOn = await switchOn([stock]);
const context = (afterMs = 0) => ({ actor: systemActor, now: at(afterMs) });

/** A bar with a keg of a known delivery in stock; `off` and `on` switch the feature. */
function open() {
  const bar = openBar(':memory:', {}, switchedOn);
  const { engine, keg } = bar;
  const services = () => engine.serviceOf(stock);
  const purchase = { batch: 'L1', costMinor: 9_000, bestBefore: '2026-05-02' };
  const { result } = services().purchases.receive(
    { keg: { beverage: { id: keg.beverageId }, sizeKey: 'euro-30-liter' }, count: 1, purchase },
    context(),
  );
  return {
    ...bar,
    services,
    purchase,
    received: result[0]!,
    off: () => engine.useExtensions([]),
    on: () => engine.useExtensions(switchedOn.engine.loaded),
    undo: (id: number | null) => engine.corrections.undo(id!, { actor: systemActor }, at(hour)),
  };
}

test('the purchase of a keg that is deleted while the feature is off comes back with the keg', () => {
  const { engine, services, purchase, received, off, on, undo } = open();
  off();
  const { correctionId } = engine.kegs.remove(received, context(minute));
  undo(correctionId);
  on();
  expect(services().purchases.ofKeg(received)).toMatchObject(purchase);
});

test('a change of a purchase and a count are undone while the feature is off', () => {
  const { keg, engine, services, purchase, received, off, on, undo } = open();
  const changed = services().purchases.change(received, { batch: 'L2' }, context(minute));
  const line = { beverageId: keg.beverageId, sizeKey: 'euro-30-liter', counted: 0 };
  const counted = services().counts.add({ lines: [line], isAdjusted: true }, context(minute));
  expect(engine.kegs.get(received)?.state).toBe('finished');
  off();
  undo(counted.correctionId);
  undo(changed.correctionId);
  expect(engine.kegs.get(received)?.state).toBe('available');
  on();
  expect(services().purchases.ofKeg(received)).toMatchObject(purchase);
  expect(services().counts.list({}).items).toEqual([]);
});

test('the time of a count follows a corrected clock while the feature is off', () => {
  const { keg, engine, services, off, on } = open();
  const line = { beverageId: keg.beverageId, sizeKey: 'euro-30-liter', counted: 1 };
  const unset = at(minute, { synced: false, wallMs: 0 });
  services().counts.add({ lines: [line], isAdjusted: false }, { actor: systemActor, now: unset });
  off();
  engine.drinks.clockCorrection.correct(at(hour));
  on();
  expect(services().counts.list({}).items).toMatchObject([{ timeMs: at(minute).wallMs }]);
});

test('a keg past its best-before day raises no alarm while the feature is off', () => {
  const { engine, off } = open();
  const late = at(72 * hour);
  expect(engine.hooks.alarmConditions(late)).toMatchObject([{ kind: 'keg_not_fresh' }]);
  off();
  expect(engine.hooks.alarmConditions(late)).toEqual([]);
});

test('it tells the base what a keg cost, and null where nobody entered it', async () => {
  const { keg, services, received } = open();
  const { kegCost, costPerMl } = (await stock.load()).hooks(services());
  expect([kegCost!(received), kegCost!(keg.id)]).toEqual([9_000, null]);
  expect([costPerMl!(keg.beverageId), costPerMl!(99)]).toEqual([9_000 / 30_000, null]);
});
