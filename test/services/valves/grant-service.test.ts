import { expect, test, vi } from 'vitest';
import { createTaps, relay } from './grant-bar.ts';

test('a card opens the valve, its pour is recorded for the user, and the idle tap shuts', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  expect(bar.isOpen()).toBe(true);
  bar.pass(3_000);
  bar.pour('pi.flow0', 500);
  bar.pass(9_000 + 29_000);
  expect(bar.isOpen()).toBe(true);
  bar.pass(2_000);
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['max_idle']]);
  expect(bar.drinks()).toEqual([['anna', 500, 1]]);
});

test('beer poured without a grant, before and after one, has no user', () => {
  const bar = createTaps();
  bar.pour('pi.flow0', 100);
  bar.pass(8_000);
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 100);
  bar.pass(2_000);
  bar.take('anna', 'left');
  expect(bar.isOpen()).toBe(false);
  bar.pass(3_000);
  bar.pour('pi.flow0', 100);
  bar.pass(8_000);
  expect(bar.drinks()).toEqual([
    [null, 100, 1],
    ['anna', 100, 1],
    [null, 100, 1],
  ]);
});

test('flow after the valve shut belongs to the user for two seconds, then to nobody', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 600);
  bar.pass(5_000);
  bar.take('anna', 'left');
  bar.pass(15_000);
  const [annas, unassigned] = bar.drinks();
  expect([annas![0], unassigned![0]]).toEqual(['anna', null]);
  expect(annas![1]).toBeCloseTo(420, 0);
  expect(Number(annas![1]) + Number(unassigned![1])).toBeCloseTo(600, 6);
});

test('a second card during a pour splits it, and the valve stays open', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 600);
  bar.pass(5_000);
  bar.present('bert', 'left');
  expect(bar.isOpen()).toBe(true);
  bar.pass(12_000);
  const drinks = bar.drinks();
  expect(drinks.map(([who]) => who)).toEqual(['anna', 'bert']);
  expect(drinks[0]![1]).toBeCloseTo(300, 0);
  expect(bar.ends()).toEqual(['replaced', null]);
  bar.take('anna', 'left');
  expect(bar.isOpen()).toBe(true);
});

test('a denied card does not affect the running grant', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 100);
  bar.pass(1_000);
  bar.present('mallory', 'left');
  expect(bar.isOpen()).toBe(true);
  bar.pass(10_000);
  expect(bar.drinks()).toEqual([['anna', 100, 1]]);
});

test('a reader without a tap opens all taps, and pours of a tap without a valve are assigned too', () => {
  const bar = createTaps();
  bar.present('anna');
  bar.pour('pi.flow0', 50);
  bar.pour('pi.flow1', 70);
  bar.pass(10_000);
  expect(bar.drinks()).toEqual(
    expect.arrayContaining([
      ['anna', 50, 1],
      ['anna', 70, 2],
    ]),
  );
});

test('the valve shuts at the volume limit, counted from the presentment', () => {
  const bar = createTaps({ maxVolumeMl: 200 });
  bar.pour('pi.flow0', 60);
  bar.pass(500);
  bar.present('anna', 'left');
  bar.pass(3_000);
  expect(bar.isOpen()).toBe(true);
  bar.pour('pi.flow0', 175);
  bar.pass(4_000);
  expect([bar.isOpen(), bar.ends(), bar.problems.at(-1) ?? null]).toEqual([false, ['max_volume'], null]);
  bar.pass(5_000);
  expect(bar.drinks()).toEqual([['anna', 235, 1]]);
});

test('a card held at its reader does not open the tap again after its limit until it was removed', () => {
  const bar = createTaps({ maxDurationMs: 10_000 });
  for (let i = 0; i < 40; i++) {
    bar.present('anna', 'left');
    bar.pass(500);
  }
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['max_duration']]);
  bar.pass(2_500);
  bar.present('anna', 'left');
  expect(bar.isOpen()).toBe(true);
});

test('after the event loop stalled, the valve is shut, the grant ends and the problem is reported', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pass(1_000);
  bar.stall(2_500);
  bar.pass(1_000);
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['fault']]);
  expect(bar.problems.at(-1)).toContain('did not stay open');
  bar.present('bert', 'left');
  expect([bar.isOpen(), bar.problems.at(-1)]).toEqual([true, null]);
});

test('a full disk opens no valve and keeps none open; the end of the grant is stored when there is space', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.pass(1_000);
  bar.fill(true);
  bar.take('anna', 'left');
  expect([bar.isOpen(), bar.ends()]).toEqual([false, [null]]);
  bar.present('bert', 'left');
  expect(bar.isOpen()).toBe(false);
  bar.pass(1_000);
  bar.fill(false);
  bar.pass(1_000);
  expect(bar.ends()).toEqual(['detach']);
});

test('manual opening keeps the valve open after a grant ends, and shutting it ends both', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.service.openManually(relay, 60_000);
  expect(bar.service.open()).toMatchObject([{ toggle: relay, manual: true, grantId: expect.any(String) }]);
  bar.take('anna', 'left');
  expect(bar.isOpen()).toBe(true);
  bar.present('bert', 'left');
  bar.service.shut(relay);
  expect([bar.isOpen(), bar.service.open(), bar.ends()]).toEqual([false, [], ['detach', 'command']]);
});

test('manual opening for a volume shuts when it has flowed, which is no fault', () => {
  const bar = createTaps();
  bar.service.openManually(relay, 60_000, { meter: 'pi.flow0', maxTicks: 50 });
  bar.pour('pi.flow0', 50);
  bar.pass(3_000);
  expect([bar.isOpen(), bar.service.open(), bar.problems]).toEqual([false, [], []]);
});

test('manual opening for a volume of a meter that the relay’s driver does not count shuts, too', () => {
  const bar = createTaps();
  bar.service.openManually(relay, 60_000, { meter: 'pi.other', maxTicks: 50 });
  bar.bus.publish({ type: 'pour.started', meter: 'pi.other', pourId: 'p1' });
  bar.bus.publish({ type: 'pour.flowing', meter: 'pi.other', pourId: 'p1', ticks: 49 });
  expect(bar.isOpen()).toBe(true);
  bar.bus.publish({ type: 'pour.flowing', meter: 'pi.other', pourId: 'p1', ticks: 51 });
  expect(bar.isOpen()).toBe(false);
});

test('opening a relay of a network kegboard manually is refused and leaves no problem behind', () => {
  const bar = createTaps();
  expect(() => bar.service.openManually('kegboard-1.relay0', 60_000)).toThrow(
    'not connected to this machine',
  );
  bar.service.shut('kegboard-1.relay0');
  expect([bar.service.open(), bar.problems]).toEqual([[], []]);
});

test('shutting a stuck relay fails with the advice to disconnect its power', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  vi.spyOn(bar.pins, 'shut').mockImplementation(() => {
    throw new Error('EIO');
  });
  expect(() => bar.service.shut(relay)).toThrow('Disconnect the valve’s power');
  expect(bar.ends()).toEqual(['command']);
});

test('a closed service opens nothing', () => {
  const bar = createTaps();
  bar.present('anna', 'left');
  bar.service.close();
  bar.present('bert', 'left');
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['stopped']]);
});
