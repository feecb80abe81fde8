import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, hardwareOfBar, openEmptyBar } from '../bar.ts';

let bar: ReturnType<typeof openEmptyBar>;

beforeEach(() => {
  bar = openEmptyBar();
});

const find = (name: string) => bar.engine.site.firstSteps.list().find((step) => step.name === name);
const isDone = (name: string) => find(name)?.isDone;
const context = () => ({ actor: systemActor, now: at(0) });

test('a new bar has every step in its order', () => {
  expect(bar.engine.site.firstSteps.list().map(({ name }) => name)).toEqual([
    'name_taps',
    'tap_keg',
    'check_wiring',
    'calibrate',
    'invite_staff',
    'print_menu',
  ]);
});

test('the taps are named when none has the name of the set-up, or when staff edited it', () => {
  expect(isDone('name_taps')).toBe(true);
  bar.engine.taps.change(bar.left.id, { name: 'Main Tap' });
  expect(find('name_taps')).toMatchObject({ isDone: false, tapId: bar.left.id });
  bar.engine.taps.change(bar.left.id, { name: 'Window' });
  expect(isDone('name_taps')).toBe(true);
  // Who edited another tap has not seen the name of this one.
  bar.engine.taps.change(bar.left.id, { name: 'Main Tap' });
  bar.engine.taps.change(bar.right.id, { notes: 'leaks' }, context());
  expect(isDone('name_taps')).toBe(false);
  bar.engine.taps.change(bar.left.id, { notes: 'new seal' }, context());
  expect(isDone('name_taps')).toBe(true);
});

test('a bar without taps has named none', () => {
  bar.engine.taps.remove(bar.left.id);
  bar.engine.taps.remove(bar.right.id);
  for (const name of ['name_taps', 'tap_keg', 'check_wiring', 'calibrate'])
    expect(find(name)).toMatchObject({ isDone: false, tapId: null });
});

test('the first keg counts when it is on tap, and still after it is empty', () => {
  expect(find('tap_keg')).toMatchObject({ isDone: false, tapId: bar.left.id });
  const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
  const keg = bar.engine.kegs.start(bar.left.id, { beverage, sizeKey: 'euro-30-liter' }, at(0));
  expect(isDone('tap_keg')).toBe(true);
  bar.engine.kegs.end(keg.id, at(1));
  expect(isDone('tap_keg')).toBe(true);
});

test('the wiring is checked when the meter of every tap has counted', () => {
  expect(find('check_wiring')).toMatchObject({ isDone: false, tapId: bar.left.id });
  insertPour(bar.store, {}, at(20_000));
  expect(find('check_wiring')).toMatchObject({ isDone: false, tapId: bar.right.id });
  insertPour(bar.store, { tap: 'pi.flow1' }, at(60_000));
  expect(find('check_wiring')).toMatchObject({ isDone: true, tapId: null });
});

test('the meters are calibrated when each one at a tap is', () => {
  expect(isDone('calibrate')).toBe(true);
  const spare = bar.store.taps.meters.byName('pi.flow2')!;
  bar.engine.taps.connectMeter(bar.right.id, spare.id);
  expect(find('calibrate')).toMatchObject({ isDone: false, tapId: bar.right.id });
});

test('the factor of a model is no calibration; a measured or chosen one is', () => {
  const model = { portName: 'flow0', ticksPerMl: 5.4, uModel: 0.03, modelHz: 300, modelTicksPerMl: 5.4 };
  bar.engine.taps.hardware.provision({ ...hardwareOfBar, meters: [model, ...hardwareOfBar.meters.slice(1)] });
  expect(find('calibrate')).toMatchObject({ isDone: false, tapId: bar.left.id });
  const meter = bar.store.taps.meters.byName('pi.flow0')!;
  bar.engine.drinks.calibrate(meter.id, { kegId: null, ticksPerMl: 5.4, uncertainty: 0.01 }, at(0));
  expect(isDone('calibrate')).toBe(true);
  bar.engine.drinks.calibrate(meter.id, { kegId: null, ticksPerMl: 5.5 }, at(0));
  expect(isDone('calibrate')).toBe(true);
});

test('staff are invited when a second active account is staff', () => {
  const add = (username: string, isStaff: boolean) =>
    bar.engine.users.addUser({ username, isStaff, isSuperuser: false }, at(0));
  add('anna', true);
  add('carl', false);
  expect(isDone('invite_staff')).toBe(false);
  add('bert', true);
  expect(isDone('invite_staff')).toBe(true);
});

test('printing the QR code is what the settings note', () => {
  expect(isDone('print_menu')).toBe(false);
  bar.engine.users.changeSite({ menuCodePrinted: true });
  expect(isDone('print_menu')).toBe(true);
});
