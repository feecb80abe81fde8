import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Actor, toActor } from '../../../src/engine/engine.ts';
import { pour as pourOf } from '../../engine/bar.ts';
import { createHardwareRig } from './hardware-rig.ts';

let rig: ReturnType<typeof createHardwareRig>;

beforeEach(() => {
  rig = createHardwareRig();
});

afterEach(() => rig.close());

const addMeter = (fields: object = {}) => rig.service.add({ kind: 'meter', pin: 5, ...fields }, rig.by());
const addRelay = (fields: object = {}) => rig.service.add({ kind: 'relay', pin: 24, ...fields }, rig.by());
const meter = (port: string) => rig.service.snapshot().meters.find((one) => one.port === port);
const relay = (port: string) => rig.service.snapshot().relays.find((one) => one.port === port);
const record = (name: string) => rig.bar.engine.taps.hardware.meters().find((one) => one.name === name);

/** Pours on a meter until the pour has ended. */
function pour(name: string, ticks: number): void {
  rig.simulated.pulse(name, ticks, 100);
  rig.pass(ticks * 10 + 6_000);
}

describe('a meter', () => {
  test('that is added counts at once, with the calibration of its model', async () => {
    expect(await addMeter({ model: 'swissflow-sf800' })).toMatchObject({
      port: 'flow1',
      isRestartNeeded: false,
    });
    expect(record('pi.flow1')).toMatchObject({ ticksPerMl: 5.4, calibrated: true });
    pour('pi.flow1', 200);
    expect(rig.drinks()[0]).toMatchObject({ meter: 'pi.flow1', ticks: 200 });
  });

  test('whose pin changes ends its running pour, which is recorded with every tick, and goes on at the new pin', async () => {
    await addMeter();
    rig.simulated.pulse('pi.flow1', 1_000, 100);
    rig.pass(3_000);
    await rig.service.change('meter', 'flow1', { pin: 6 }, rig.by());
    const [recorded] = rig.drinks();
    expect(recorded?.meter).toBe('pi.flow1');
    expect(recorded?.ticks).toBeGreaterThanOrEqual(300);
    expect(meter('flow1')).toMatchObject({ pin: 6, headerPin: 31, state: 'works' });
    pour('pi.flow1', 150);
    expect(rig.drinks()[0]).toMatchObject({ meter: 'pi.flow1', ticks: 150 });
  });

  test('that is taken away ends its running pour first, which is recorded', async () => {
    await addMeter();
    rig.simulated.pulse('pi.flow1', 500, 100);
    rig.pass(2_000);
    await rig.service.remove('meter', 'flow1', rig.by());
    expect(rig.drinks()[0]?.ticks).toBeGreaterThanOrEqual(200);
    expect([meter('flow1'), record('pi.flow1')]).toEqual([undefined, undefined]);
    expect(rig.counting.runningPours().size).toBe(0);
  });

  test('does not disturb the running pour of another one', async () => {
    rig.simulated.pulse('pi.flow0', 400, 100);
    rig.pass(2_000);
    await addMeter();
    await rig.service.change('meter', 'flow1', { pin: 6 }, rig.by());
    await rig.service.remove('meter', 'flow1', rig.by());
    rig.pass(9_000);
    expect(rig.drinks()).toMatchObject([{ meter: 'pi.flow0', ticks: 400 }]);
  });

  test('cannot be deleted from its controller while it is on a pin', async () => {
    await addMeter();
    const { id } = record('pi.flow1')!;
    expect(() => rig.bar.engine.taps.hardware.removeMeter(id)).toThrow(
      'pi.flow1 is on a pin of this machine',
    );
    await rig.service.remove('meter', 'flow1', rig.by());
    await addMeter({ port: 'other' });
    expect(record('pi.other')).toMatchObject({ tapId: null });
  });

  test('that is saved as it was changes nothing and is not logged', async () => {
    await addMeter();
    expect(await rig.service.change('meter', 'flow1', { pin: 5 }, rig.by())).toMatchObject({
      changeId: null,
    });
  });
});

describe('a refused change names its reason and leaves everything as it was', () => {
  const untouched = async (work: Promise<unknown>, error: object) => {
    const before = JSON.stringify(rig.service.snapshot());
    await expect(work).rejects.toMatchObject(error);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
    pour('pi.flow0', 100);
    expect(rig.drinks()[0]).toMatchObject({ meter: 'pi.flow0', ticks: 100 });
  };

  test('of a part of the settings file', async () => {
    const fixed = { code: 'conflict', reason: { name: 'in_settings_file', what: 'pi.flow0' } };
    await untouched(rig.service.change('meter', 'flow0', { pin: 5 }, rig.by()), fixed);
    await untouched(rig.service.remove('meter', 'flow0', rig.by()), fixed);
  });

  test('to a pin, name or model that cannot be used', async () => {
    const taken = { name: 'pin_taken', part: 'pi.flow0' };
    await untouched(addMeter({ pin: 17 }), { rules: { pin: taken } });
    await untouched(addRelay({ pin: 17 }), { rules: { pin: taken } });
    await untouched(addMeter({ port: 'relay0' }), { rules: { port: { name: 'taken' } } });
    await untouched(addMeter({ model: 'hose' }), { rules: { model: { name: 'one_of' } } });
  });

  test('of an unknown part', async () => {
    await untouched(rig.service.remove('relay', 'flow0x', rig.by()), { code: 'not_found' });
  });

  test('to a line that cannot be opened', async () => {
    rig.takenPins.add(5);
    await untouched(addMeter(), {
      code: 'conflict',
      reason: { name: 'line_not_opened', what: 'pi.flow1', problem: 'GPIO 5 is taken.' },
    });
    expect(rig.bar.engine.taps.pinEntries.list()).toEqual([]);
  });

  test('that the database does not store', async () => {
    const { pinEntries } = rig.bar.engine.taps;
    const { replace } = pinEntries;
    pinEntries.replace = () => {
      throw new Error('The disk is full.');
    };
    await untouched(addMeter(), { message: 'The disk is full.' });
    pinEntries.replace = replace;
    await addMeter();
    expect(meter('flow1')?.state).toBe('works');
  });

  test('of a relay that is open', async () => {
    await addRelay();
    rig.simulated.open('pi.relay1', { maxMs: 60_000 });
    await expect(rig.service.remove('relay', 'relay1', rig.by())).rejects.toMatchObject({
      reason: { name: 'relay_is_open', relay: 'pi.relay1' },
    });
    expect(rig.simulated.isOpen('pi.relay1')).toBe(true);
    rig.simulated.shut('pi.relay1');
    await rig.service.remove('relay', 'relay1', rig.by());
    expect(relay('relay1')).toBeUndefined();
  });
});

describe('a relay', () => {
  test('that is added is shut, and the stop program knows it before its line is opened', async () => {
    await addRelay({ activeLow: true });
    expect(rig.simulated.isOpen('pi.relay1')).toBe(false);
    expect(relay('relay1')).toMatchObject({ pin: 24, activeLow: true, isFixed: false });
    expect(rig.storedRelays.at(0)).toEqual(['relay0 23', 'relay0 23', 'relay1 24']);
    expect(rig.storedRelays.at(-1)).toEqual(['relay0 23', 'relay1 24']);
  });
});

describe('undo', () => {
  test('of an added meter takes it away', async () => {
    const { changeId } = await addMeter({ port: 'left' });
    expect(rig.bar.engine.taps.pinEntries.undoable()).toBe(changeId);
    await rig.service.undo(changeId!, rig.by());
    expect([meter('left'), record('pi.left')]).toEqual([undefined, undefined]);
    expect(rig.bar.engine.taps.pinEntries.undoable()).toBeNull();
  });

  /** A meter with measured pours. */
  const addLearned = async () => {
    await addMeter({ model: 'swissflow-sf800', ticks_per_ml: 5.4 });
    const { id } = record('pi.flow1')!;
    const measured = { pours: 6, ticks: 32_400, volumeMl: 6_000 };
    const options = { ticksPerMl: 5.4, uncertainty: 0.004, method: 'pours', measured, kegId: null } as const;
    rig.bar.engine.drinks.calibrate(id, options, rig.by().now);
    return rig.bar.store.taps.meterEvidence.state(id)!;
  };

  test('of a meter that was taken away gives it back what it has learned', async () => {
    const learning = await addLearned();
    const { id: formerId } = record('pi.flow1')!;
    const { changeId } = await rig.service.remove('meter', 'flow1', rig.by());
    await rig.service.undo(changeId!, rig.by());
    const { id } = record('pi.flow1')!;
    expect(id).not.toBe(formerId);
    expect(rig.bar.store.taps.meterEvidence.state(id)).toEqual(learning);
    expect(rig.bar.store.taps.meterEvidence.newest(id, 10)).toHaveLength(1);
  });

  test('of another model forgets the rate of its tap’s beer, which had other ticks per second', async () => {
    await addMeter({ model: 'yf-s201' });
    const { engine, store } = rig.bar;
    const tap = engine.taps.create({ name: 'Third' });
    store.transaction(() => store.taps.meters.bind(record('pi.flow1')!.id, tap.id));
    const series = Array.from({ length: 30 }, (_, bin) => `${bin * 100}:3`).join(' ');
    for (let count = 0; count < 10; count++) {
      const { now } = rig.by();
      const ended = { meter: 'pi.flow1', ticks: 90, durationMs: 3_000, series };
      engine.drinks.pours.record(pourOf(now, ended), 'pin', now);
    }
    const openRate = () => engine.drinks.pours.meterFacts('pi.flow1')?.openRate;
    expect(openRate()).toMatchObject({ ticksPerS: 30, isLearned: true });
    await rig.service.change('meter', 'flow1', { model: 'swissflow-sf800' }, rig.by());
    expect(openRate()).toMatchObject({ ticksPerS: expect.closeTo(75 * 5.4), defaultBy: 'model', pours: 0 });
  });

  test('of another model with the same factor, which starts to learn anew, gives back what the meter had learned', async () => {
    const learning = await addLearned();
    const { id } = record('pi.flow1')!;
    const fields = { model: null, ticks_per_ml: 5.4 };
    const { changeId } = await rig.service.change('meter', 'flow1', fields, rig.by());
    const [{ id: newest } = { id: 0 }] = rig.bar.store.taps.meterEvidence.newest(id, 1);
    expect(rig.bar.store.taps.meterEvidence.state(id)).toMatchObject({
      priorTicksPerMl: null,
      uPrior: null,
      uModel: null,
      evidenceAfter: newest,
    });
    expect(record('pi.flow1')).toMatchObject({ ticksPerMl: 5.4, uFactor: null });
    await rig.service.undo(changeId!, rig.by());
    expect(rig.bar.store.taps.meterEvidence.state(id)).toEqual(learning);
    expect(record('pi.flow1')).toMatchObject({ uFactor: expect.closeTo(0.002, 4) });
  });

  test('of a meter that was taken away gives it back its tap and calibration', async () => {
    await addMeter();
    const { id } = record('pi.flow1')!;
    rig.bar.engine.taps.hardware.changeMeter(id, { ticksPerMl: 4.2 });
    const tap = rig.bar.engine.taps.create({ name: 'Third' });
    rig.bar.store.transaction(() => rig.bar.store.taps.meters.bind(id, tap.id));
    const { changeId } = await rig.service.remove('meter', 'flow1', rig.by());
    await rig.service.undo(changeId!, rig.by());
    expect(record('pi.flow1')).toMatchObject({ ticksPerMl: 4.2, calibrated: true, tapId: tap.id });
    pour('pi.flow1', 120);
    expect(rig.drinks()[0]).toMatchObject({ meter: 'pi.flow1', ticks: 120 });
  });

  test('of a new model restores the calibration that people had set', async () => {
    await addMeter();
    rig.bar.engine.taps.hardware.changeMeter(record('pi.flow1')!.id, { ticksPerMl: 4.2 });
    const { changeId } = await rig.service.change('meter', 'flow1', { model: 'swissflow-sf800' }, rig.by());
    expect(record('pi.flow1')?.ticksPerMl).toBe(5.4);
    await rig.service.undo(changeId!, rig.by());
    expect(record('pi.flow1')?.ticksPerMl).toBe(4.2);
    expect(meter('flow1')?.model).toBeNull();
  });

  test('of a new model restores the curve, which the other model did not take over', async () => {
    await addMeter();
    const curve = { points: [{ hz: 50, ticksPerMl: 4.1 }], offsetTicks: 1 };
    const calibration = { ticksPerMl: 4.2, curve, kegId: null };
    rig.bar.engine.drinks.calibrate(record('pi.flow1')!.id, calibration, rig.by().now);
    const { changeId } = await rig.service.change('meter', 'flow1', { model: 'swissflow-sf800' }, rig.by());
    expect(record('pi.flow1')).toMatchObject({ ticksPerMl: 5.4, curve: null });
    await rig.service.undo(changeId!, rig.by());
    expect(record('pi.flow1')).toMatchObject({ ticksPerMl: 4.2, curve });
  });

  test('is refused for a change that is not the newest, and a second time', async () => {
    const first = await addMeter();
    const second = await addRelay();
    const undo = (id: number | null) => rig.service.undo(id!, rig.by());
    await expect(undo(first.changeId)).rejects.toMatchObject({ reason: { name: 'hardware_changed_since' } });
    await undo(second.changeId);
    await expect(undo(second.changeId)).rejects.toMatchObject({ reason: { name: 'already_undone' } });
    await expect(undo(999)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('every change and its undo are in the audit log', async () => {
    const { changeId } = await addMeter();
    await rig.service.undo(changeId!, rig.by());
    const actions = rig.bar.engine.audit.list({ limit: 2 }).items.map(({ action }) => action);
    expect(actions).toEqual(['pin.undone', 'pin.added']);
  });

  test('the audit log offers the newest change only, to superusers with a password', async () => {
    const { engine } = rig.bar;
    const root = toActor(engine.users.addUser({ username: 'root', isSuperuser: true }, rig.by().now), 'page');
    const staff = toActor(engine.users.addUser({ username: 'anna', isStaff: true }, rig.by().now), 'page');
    const offered = (actor: Actor) =>
      engine.audit
        .list({})
        .items.flatMap((entry) => (engine.corrections.mayUndo(entry, actor) ? [entry.id] : []));
    const first = await addMeter();
    expect(offered(root)).toEqual([first.changeId]);
    const second = await addRelay();
    expect(offered(root)).toEqual([second.changeId]);
    expect([offered(staff), offered({ ...root, via: 'key' }), offered({ ...root, via: 'tablet' })]).toEqual([
      [],
      [],
      [],
    ]);
    await rig.service.undo(second.changeId!, rig.by());
    expect(offered(root)).toEqual([]);
    const third = await addMeter({ pin: 6 });
    expect(offered(root)).toEqual([third.changeId]);
    const entries = engine.audit.list({}).items;
    const undoneBy = entries.find(({ id }) => id === second.changeId)?.undoneBy;
    expect(entries.find(({ id }) => id === undoneBy)?.action).toBe('pin.undone');
  });
});

describe('the next start', () => {
  test('counts what was added, before the database is open', async () => {
    await addMeter();
    const again = createHardwareRig(rig);
    expect(again.hardware.meters().map(({ port }) => port)).toEqual(['flow0', 'flow1']);
    expect(existsSync(`${rig.config.database}.pins.json`)).toBe(true);
    await again.counting.close();
  });

  test('leaves out an entry whose pin the settings file uses since, and shows it as overridden', async () => {
    await addMeter();
    const again = createHardwareRig(rig, { meters: [{ port: 'flow0', pin: 5 }] });
    expect(again.hardware.meters()).toMatchObject([{ port: 'flow0', pin: 5 }]);
    const { meters, pins } = again.service.snapshot();
    expect(meters.map(({ port, state, isFixed }) => ({ port, state, isFixed }))).toEqual([
      { port: 'flow0', state: 'works', isFixed: true },
      { port: 'flow1', state: 'overridden', isFixed: false },
    ]);
    expect(pins.find(({ pin }) => pin === 5)).toMatchObject({ use: 'taken', usedBy: 'pi.flow0' });
    await again.counting.close();
  });

  test('adopts what the database has when the copy beside it is older', async () => {
    await addMeter();
    const [entry] = rig.bar.engine.taps.pinEntries.list();
    const adopted = rig.live.adopt([{ ...entry!, port: 'other' }]);
    await expect(addMeter({ pin: 6 })).rejects.toMatchObject({ reason: { name: 'hardware_changing' } });
    await adopted;
    expect(rig.hardware.meters().map(({ port }) => port)).toEqual(['flow0', 'other']);
    pour('pi.other', 100);
  });
});

test('a driver that cannot change its lines stores the change for the next start, and a superuser restarts', async () => {
  rig.driver.canChange = false;
  expect(await addMeter()).toMatchObject({ isRestartNeeded: true });
  expect(rig.service.snapshot()).toMatchObject({ isRestartNeeded: true, canRestart: true });
  expect(rig.hardware.meters()).toHaveLength(1);
  expect(rig.bar.engine.taps.pinEntries.list()).toHaveLength(1);
  rig.service.restart(rig.by());
  expect(rig.stops.count).toBe(1);
});

test('pins are offered unless a part has them or the board needs them', () => {
  const use = (gpio: number) => rig.service.snapshot().pins.find(({ pin }) => pin === gpio);
  expect(use(17)).toMatchObject({ use: 'taken', usedBy: 'pi.flow0', headerPin: 11 });
  expect(use(4)).toMatchObject({ use: 'reserved', also: '1-Wire by default: keep it for the thermometers' });
  expect(use(5)).toMatchObject({ use: 'free', usedBy: null });
  expect(rig.service.snapshot().models.map(({ id }) => id)).toContain('swissflow-sf800');
});
