import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withStoredHardware } from '../../../src/services/hardware/stored-hardware.ts';
import { createMachineIdentity } from '../../../src/system/machine-identity.ts';
import { createHardwareRig } from './hardware-rig.ts';

type Rig = ReturnType<typeof createHardwareRig>;

const otherId = '2'.repeat(32);
const otherMachine =
  'another machine: these relays were wired to that one and are not switched here: pi.relay1';

/** The machine on which a meter and a relay were chosen, and the next run on its files. */
let first: Rig;
let next: Rig | null = null;

beforeEach(async () => {
  first = createHardwareRig();
  await first.service.add({ kind: 'meter', pin: 5 }, first.by());
  await first.service.add({ kind: 'relay', pin: 24 }, first.by());
});

afterEach(async () => {
  await next?.counting.close();
  next = null;
  await first.close();
});

function start(machineId: string | null = otherId): Rig {
  next = createHardwareRig(first, {}, machineId);
  return next;
}

const stateOf = (rig: Rig, port = 'relay1') =>
  rig.service.snapshot().relays.find((one) => one.port === port)?.state;
const openRelay = (rig: Rig) => rig.simulated.open('pi.relay1', { maxMs: 1_000 });
const problem = (rig: Rig) => rig.problems.at(-1) ?? null;
const lastActions = (rig: Rig, limit: number) =>
  rig.bar.engine.audit.list({ limit }).items.map(({ action, subject }) => `${action} ${subject.id}`);

describe('on another machine', () => {
  test('a relay of the page is not opened, and its meter counts', () => {
    const rig = start();
    expect(rig.hardware.toggles().map(({ port }) => port)).toEqual(['relay0']);
    expect(() => openRelay(rig)).toThrow();
    expect(stateOf(rig)).toBe('other_machine');
    expect(stateOf(rig, 'relay0')).toBe('works');
    expect(problem(rig)).toContain(otherMachine);
    rig.simulated.pulse('pi.flow1', 100, 100);
    rig.pass(8_000);
    expect(rig.drinks()[0]).toMatchObject({ meter: 'pi.flow1', ticks: 100 });
  });

  test('a database without the copy beside it leaves the relay out, too, and the stop program never knows it', async () => {
    rmSync(`${first.config.database}.pins.json`);
    const rig = start();
    await rig.live.adopt(rig.bar.engine.taps.pinEntries.list());
    expect(rig.hardware.meters().map(({ port }) => port)).toEqual(['flow0', 'flow1']);
    expect(() => openRelay(rig)).toThrow();
    expect(rig.storedRelays.flat()).not.toContain('relay1 24');
    expect(problem(rig)).toContain(otherMachine);
  });

  test('a superuser uses the relays here, and they are driven now and at the next start', async () => {
    const rig = start();
    expect(await rig.service.decideRelays('use_here', rig.by())).toEqual({
      changeId: null,
      isRestartNeeded: false,
    });
    openRelay(rig);
    expect([stateOf(rig), problem(rig)]).toEqual(['works', null]);
    expect(rig.storedRelays[0]).toContain('relay1 24');
    expect(lastActions(rig, 1)).toEqual(['pin.confirmed pi.relay1']);
    await rig.counting.close();
    expect(stateOf(start())).toBe('works');
    await rig.counting.close();
    // The relays belong to the new machine now.
    expect(stateOf(start('1'.repeat(32)))).toBe('other_machine');
  });

  test('a superuser removes the relays with their records, and their pins are free', async () => {
    const rig = start();
    await rig.service.decideRelays('remove', rig.by());
    expect(stateOf(rig)).toBeUndefined();
    expect(rig.bar.engine.taps.hardware.toggles().map(({ name }) => name)).toEqual(['pi.relay0']);
    expect([problem(rig), rig.bar.engine.taps.pinEntries.undoable()]).toEqual([null, null]);
    expect(lastActions(rig, 1)).toEqual(['pin.removed pi.relay1']);
    await rig.service.add({ kind: 'relay', pin: 24 }, rig.by());
    openRelay(rig);
  });

  test('a relay that is saved on a pin of this machine is driven; the others wait', async () => {
    await first.service.add({ kind: 'relay', pin: 25 }, first.by());
    const rig = start();
    await rig.service.change('relay', 'relay1', { pin: 26 }, rig.by());
    openRelay(rig);
    expect([stateOf(rig), stateOf(rig, 'relay2')]).toEqual(['works', 'other_machine']);
  });

  test('the pin of a relay that waits is not given to another part', async () => {
    const rig = start();
    await expect(rig.service.add({ kind: 'meter', pin: 24 }, rig.by())).rejects.toMatchObject({
      rules: { pin: { name: 'pin_taken', part: 'pi.relay1' } },
    });
    await rig.service.remove('relay', 'relay1', rig.by());
    expect(problem(rig)).toBeNull();
    await rig.service.add({ kind: 'meter', pin: 24 }, rig.by());
  });

  test('undo of a change that was made on the first machine drives no relay', async () => {
    const { changeId } = await first.service.remove('relay', 'relay1', first.by());
    const rig = start();
    await rig.service.undo(changeId!, rig.by());
    expect(stateOf(rig)).toBe('other_machine');
    expect(() => openRelay(rig)).toThrow();
  });

  test('a relay that cannot be opened keeps all of them waiting', async () => {
    const rig = start();
    rig.takenPins.add(24);
    await expect(rig.service.decideRelays('use_here', rig.by())).rejects.toMatchObject({
      reason: { name: 'line_not_opened', what: 'pi.relay1' },
    });
    expect(stateOf(rig)).toBe('other_machine');
    expect(lastActions(rig, 1)).toEqual(['pin.added pi.relay1']);
  });

  test('check and doctor leave the relay out and say why', () => {
    const rig = start();
    const { config, chosen, unused } = withStoredHardware(rig.config, createMachineIdentity(otherId));
    expect(config.toggles.map(({ port }) => port)).toEqual(['relay0']);
    expect([...chosen]).toEqual(['flow1']);
    expect(unused).toEqual([
      expect.stringContaining('pi.relay1 of the page is not used. It was wired to another'),
    ]);
  });

  test('a driver that cannot change its lines drives the relays after a restart', async () => {
    const rig = start();
    rig.driver.canChange = false;
    expect(await rig.service.decideRelays('use_here', rig.by())).toMatchObject({ isRestartNeeded: true });
    expect([stateOf(rig), problem(rig)]).toEqual(['restart_needed', null]);
    await rig.counting.close();
    expect(stateOf(start())).toBe('works');
  });
});

describe('a power cut', () => {
  /** The next start before the database is open, then with it. */
  async function restart(): Promise<Rig> {
    await next?.counting.close();
    const rig = start();
    await rig.live.adopt(rig.bar.engine.taps.pinEntries.list());
    return rig;
  }

  test('between the restore of a database of another machine and its copy leaves the relay out', async () => {
    // The copy is of this machine's former database, which had a relay of its own.
    writeFileSync(`${first.config.database}.pins.json`, JSON.stringify({ version: 1, entries: [] }));
    const rig = await restart();
    expect(stateOf(rig)).toBe('other_machine');
    expect(() => openRelay(rig)).toThrow();
  });

  test('before the decision is stored leaves the relay out', async () => {
    const rig = start();
    const { pinEntries } = rig.bar.engine.taps;
    const { settle } = pinEntries;
    pinEntries.settle = () => {
      throw new Error('The power failed.');
    };
    await expect(rig.service.decideRelays('use_here', rig.by())).rejects.toThrow('The power failed.');
    pinEntries.settle = settle;
    expect(() => openRelay(rig)).toThrow();
    expect(stateOf(await restart())).toBe('other_machine');
  });

  test('after it, with the former copy beside the database, drives the relay once the database is open', async () => {
    const copy = `${first.config.database}.pins.json`;
    const rig = start();
    const [meter, relay] = rig.bar.engine.taps.pinEntries.list();
    await rig.service.decideRelays('use_here', rig.by());
    writeFileSync(copy, JSON.stringify({ version: 1, entries: [meter, relay] }));
    await rig.counting.close();
    const again = start();
    expect(stateOf(again)).toBe('other_machine');
    await again.live.adopt(again.bar.engine.taps.pinEntries.list());
    expect([stateOf(again), problem(again)]).toEqual(['works', null]);
  });
});

test('on the same machine the relay is driven', () => {
  const rig = start('1'.repeat(32));
  openRelay(rig);
  expect([stateOf(rig), problem(rig)]).toEqual(['works', null]);
});

test('without a relay of another machine there is nothing to decide', async () => {
  await expect(first.service.decideRelays('use_here', first.by())).rejects.toMatchObject({
    code: 'conflict',
    reason: { name: 'no_other_machine' },
  });
});

describe('a machine without an id', () => {
  test('drives the relays of every machine and says so in health', () => {
    const rig = start(null);
    openRelay(rig);
    expect(stateOf(rig)).toBe('works');
    expect(problem(rig)).toContain('no valid /etc/machine-id');
  });

  test('has relays that a machine with an id does not drive', async () => {
    const rig = start(null);
    await rig.service.add({ kind: 'relay', pin: 25 }, rig.by());
    await rig.counting.close();
    const known = start('1'.repeat(32));
    expect([stateOf(known), stateOf(known, 'relay2')]).toEqual(['works', 'other_machine']);
  });

  test('says nothing while the settings file has all relays', async () => {
    await first.service.remove('relay', 'relay1', first.by());
    expect(problem(start(null))).toBeNull();
  });
});
