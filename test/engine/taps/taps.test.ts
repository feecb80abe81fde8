import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { maxTaps } from '../../../src/core/taps/tap-bounds.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { at, hardwareOfBar, minute, openBar } from '../bar.ts';

const context = { actor: systemActor, now: at(0) };

type Bar = ReturnType<typeof openBar>;

const names = ({ engine }: Bar) => engine.taps.list().map(({ tap }) => tap.name);
const numbers = ({ engine }: Bar) => engine.taps.list().map(({ tap }) => tap.number);
const undoLatest = ({ engine }: Bar, subject = { kind: 'tap', id: 0 }) =>
  engine.corrections.undo(engine.audit.latestCorrection('tap', subject)!, {}, at(minute));

function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError)
      return { code: error.code, reason: error.reason?.name, fields: error.fields };
    throw error;
  }
  return null;
}

describe('numbers', () => {
  test('a new tap gets the number in its name, else the lowest free one, and comes last', () => {
    const bar = openBar();
    expect(numbers(bar)).toEqual([1, 2]);
    expect(bar.engine.taps.create({ name: 'Tap 7' }, context)).toMatchObject({ number: 7 });
    expect(bar.engine.taps.create({ name: 'Also 7' }, context)).toMatchObject({ number: 3 });
    expect(bar.engine.taps.create({ name: 'Garden' }, context)).toMatchObject({ number: 4 });
    expect(names(bar).slice(2)).toEqual(['Tap 7', 'Also 7', 'Garden']);
  });

  test('two taps cannot have the same number', () => {
    const { engine, left } = openBar();
    expect(refusal(() => engine.taps.change(left.id, { number: 2 }, context))).toMatchObject({
      code: 'invalid_request',
      fields: { number: expect.stringContaining('taken') },
    });
    expect(refusal(() => engine.taps.change(left.id, { number: 1_000 }, context))).toMatchObject({
      code: 'invalid_request',
    });
    expect(engine.taps.change(left.id, { number: 1 }, context)).toMatchObject({ number: 1 });
  });

  test('a number is free again once its tap is deleted', () => {
    const { engine, right } = openBar();
    engine.taps.remove(right.id, context);
    expect(engine.taps.create({ name: 'Garden' }, context)).toMatchObject({ number: 2 });
  });

  test(`a site has at most ${maxTaps} taps`, () => {
    const { engine } = openBar();
    for (let count = 2; count < maxTaps; count += 1) engine.taps.create({ name: 'Garden' });
    expect(refusal(() => engine.taps.create({ name: 'Garden' }, context))).toMatchObject({
      code: 'conflict',
      reason: 'too_many_taps',
    });
  });
});

describe('order', () => {
  test('is set for all taps at once, with or without new numbers', () => {
    const bar = openBar();
    const { engine, left, right } = bar;
    const [first, second] = names(bar);
    engine.taps.setOrder({ tapIds: [right.id, left.id] }, context);
    expect([names(bar), numbers(bar)]).toEqual([
      [second, first],
      [2, 1],
    ]);
    engine.taps.setOrder({ tapIds: [right.id, left.id], renumbers: true }, context);
    expect([names(bar), numbers(bar)]).toEqual([
      [second, first],
      [1, 2],
    ]);
    undoLatest(bar, { kind: 'site', id: 1 });
    expect(numbers(bar)).toEqual([2, 1]);
  });

  test('is refused when it does not name every tap once', () => {
    const { engine, left, right } = openBar();
    for (const tapIds of [[left.id], [left.id, left.id], [left.id, right.id, 99], []]) {
      expect(refusal(() => engine.taps.setOrder({ tapIds }, context))).toMatchObject({
        reason: 'taps_changed',
      });
    }
  });
});

describe('a deleted tap', () => {
  /** The left tap with a poured keg that has been ended. */
  function deleteLeft() {
    const bar = openBar();
    const { engine, store, left, keg } = bar;
    const [size] = engine.kegs.prices.servingSizes();
    engine.kegs.prices.setOfBeverage(keg.beverageId, [{ sizeId: size!.id, priceMinor: 480 }], context);
    const poured = insertDrink(store, { tap: 'pi.flow0', ticks: 500 }, at(minute));
    engine.kegs.endOnTap(left.id, at(2 * minute));
    engine.taps.setNext(left.id, { beverageId: keg.beverageId }, context);
    const before = engine.taps.find(left.id);
    engine.taps.remove(left.id, context);
    return { ...bar, before, drinkId: poured.id };
  }

  test('is gone, and its drinks stay with keg, session, price and totals', () => {
    const bar = deleteLeft();
    const { engine, left, drinkId, keg } = bar;
    expect(engine.taps.find(left.id)).toBeNull();
    expect(engine.taps.find('pi.flow0')).toBeNull();
    expect(refusal(() => engine.kegs.attach(left.id, keg.id, at(0)))).toMatchObject({
      code: 'not_found',
    });
    expect(engine.drinks.get(drinkId)).toMatchObject({
      drink: { tapId: left.id, kegId: keg.id, volumeMl: 500 },
    });
    expect(engine.site.checkDatabase()).toEqual([]);
  });

  test('comes back by undo with its number, hardware and announcement', () => {
    const bar = deleteLeft();
    undoLatest(bar, { kind: 'tap', id: bar.left.id });
    expect(bar.engine.taps.find(bar.left.id)).toEqual(bar.before);
    expect(bar.engine.site.checkDatabase()).toEqual([]);
    expect(refusal(() => undoLatest(bar, { kind: 'tap', id: bar.left.id }))).not.toBeNull();
  });

  test('comes back with a free number and without its meter when another tap has them by now', () => {
    const bar = deleteLeft();
    const { engine, left } = bar;
    const other = engine.taps.create({ name: 'Garden', number: 1 }, context);
    const meter = engine.taps.hardware.meters().find(({ name }) => name === 'pi.flow0')!;
    engine.taps.connectMeter(other.id, meter.id, context);
    const [entry] = engine.audit.list({ action: 'tap.deleted', limit: 1 }).items;
    engine.corrections.undo(entry!.id, {}, at(minute));
    expect(engine.taps.find(left.id)).toMatchObject({ tap: { number: 3, meter: null } });
    expect(engine.taps.find(other.id)).toMatchObject({ tap: { number: 1, meter: { name: 'pi.flow0' } } });
  });

  test('is not created again from the configuration file, and follows it again once it is restored', () => {
    const bar = deleteLeft();
    const before = bar.engine.taps.list().length;
    bar.engine.taps.hardware.provision(hardwareOfBar);
    expect(bar.engine.taps.list()).toHaveLength(before);
    undoLatest(bar, { kind: 'tap', id: bar.left.id });
    bar.engine.taps.hardware.provision(hardwareOfBar);
    expect(bar.engine.taps.list()).toHaveLength(before + 1);
  });

  test('holds a pour that was running for review, which is kept at another tap', () => {
    const bar = deleteLeft();
    const { engine, right } = bar;
    const pour = engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 300, source: 'post' }, at(3 * minute));
    expect(pour).toMatchObject({ isValid: false, heldReason: 'unbound_meter', volumeMl: 300 });
    engine.drinks.keep(pour.id, { tapId: right.id }, at(4 * minute));
    expect(engine.drinks.get(pour.id)).toMatchObject({ drink: { isValid: true, tapId: right.id } });
  });

  test('cannot have a keg on it', () => {
    const { engine, left } = openBar();
    expect(refusal(() => engine.taps.remove(left.id, context))).toMatchObject({ reason: 'keg_on_tap' });
  });
});

describe('undo', () => {
  test('restores the changed fields and only those', () => {
    const bar = openBar();
    const { engine, left } = bar;
    const { name } = left;
    engine.taps.change(left.id, { name: 'Window', notes: 'sticks' }, context);
    const renamed = engine.audit.latestCorrection('tap', { kind: 'tap', id: left.id })!;
    engine.taps.change(left.id, { number: 9 }, context);
    engine.corrections.undo(renamed, {}, at(minute));
    expect(engine.taps.find(left.id)).toMatchObject({ tap: { name, notes: '', number: 9 } });
  });

  test('restores the line as a whole, and is refused when a part of it was changed since', () => {
    const bar = openBar();
    const { engine, left } = bar;
    engine.taps.change(left.id, { lineVolumeMl: 500, lineToMeterMl: 100, hasFob: true }, context);
    const first = engine.audit.latestCorrection('tap', { kind: 'tap', id: left.id })!;
    engine.taps.change(left.id, { lineVolumeMl: 2_000, lineToMeterMl: 1_500 }, context);
    expect(refusal(() => engine.corrections.undo(first, {}, at(minute)))).toMatchObject({
      reason: 'tap_changed_since',
    });
    undoLatest(bar, { kind: 'tap', id: left.id });
    const line = { lineVolumeMl: 500, lineToMeterMl: 100, hasFob: true };
    expect(engine.taps.find(left.id)).toMatchObject({ tap: line });
    engine.taps.remove(engine.taps.create({ name: 'Garden', ...line }, context).id, context);
    const garden = engine.audit.list({ action: 'tap.deleted', limit: 1 }).items[0]!;
    engine.corrections.undo(garden.id, {}, at(minute));
    expect(engine.taps.list().find(({ tap }) => tap.name === 'Garden')).toMatchObject({ tap: line });
  });

  test('is refused when the same field was changed since', () => {
    const { engine, left } = openBar();
    engine.taps.change(left.id, { name: 'Window' }, context);
    const first = engine.audit.latestCorrection('tap', { kind: 'tap', id: left.id })!;
    engine.taps.change(left.id, { name: 'Door' }, context);
    expect(refusal(() => engine.corrections.undo(first, {}, at(minute)))).toMatchObject({
      reason: 'tap_changed_since',
    });
  });

  test('gives a meter back to the tap from which it was taken', () => {
    const bar = openBar();
    const { engine, left, right } = bar;
    const meter = engine.taps.hardware.meters().find(({ name }) => name === 'pi.flow0')!;
    engine.taps.connectMeter(right.id, meter.id, context, { moves: true });
    expect(engine.taps.find(left.id)?.tap.meter).toBeNull();
    undoLatest(bar, { kind: 'tap', id: right.id });
    expect(engine.taps.find(left.id)?.tap.meter?.name).toBe('pi.flow0');
    expect(engine.taps.find(right.id)?.tap.meter?.name).toBe('pi.flow1');
  });

  test('deletes a tap that was just created', () => {
    const bar = openBar();
    const { id } = bar.engine.taps.create({ name: 'Garden' }, context);
    undoLatest(bar, { kind: 'tap', id });
    expect(names(bar)).not.toContain('Garden');
  });
});

describe('serving sizes', () => {
  const priced = () => {
    const bar = openBar();
    const { engine, keg } = bar;
    const sizes = engine.kegs.prices.servingSizes();
    engine.kegs.prices.setOfBeverage(
      keg.beverageId,
      sizes.map(({ id }, index) => ({ sizeId: id, priceMinor: 100 * (index + 1) })),
      context,
    );
    return { ...bar, sizeIds: sizes.map(({ id }) => id) };
  };

  test('limit the prices at the tap to the sizes that it offers', () => {
    const { engine, left, sizeIds } = priced();
    engine.taps.change(left.id, { servingSizeIds: [sizeIds[2]!] }, context);
    expect(engine.taps.find(left.id)?.prices.map(({ sizeId }) => sizeId)).toEqual([sizeIds[2]]);
    expect(engine.taps.find(left.id)?.price?.priceMinor).toBe(300);
  });

  test('choosing all sizes is no choice: a size that is added later is offered, too', () => {
    const { engine, left, sizeIds } = priced();
    engine.taps.change(left.id, { servingSizeIds: sizeIds }, context);
    expect(engine.taps.find(left.id)?.tap.servingSizeIds).toEqual([]);
  });

  test('a deleted size is no longer offered', () => {
    const { engine, left, sizeIds } = priced();
    engine.taps.change(left.id, { servingSizeIds: sizeIds.slice(0, 2) }, context);
    const rest = engine.kegs.prices.servingSizes().filter(({ id }) => id !== sizeIds[0]);
    engine.kegs.prices.setServingSizes(rest, context);
    expect(engine.taps.find(left.id)?.tap.servingSizeIds).toEqual([sizeIds[1]]);
  });

  test('must be sizes of the site, each once', () => {
    const { engine, left, sizeIds } = priced();
    for (const servingSizeIds of [[99], [sizeIds[0]!, sizeIds[0]!]]) {
      expect(refusal(() => engine.taps.change(left.id, { servingSizeIds }, context))).toMatchObject({
        code: 'invalid_request',
      });
    }
  });
});
