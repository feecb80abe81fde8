import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ThermoReading } from '../../../src/devices/device-interfaces.ts';
import { createOneWireBus } from '../../../src/devices/onewire/onewire-bus.ts';
import { isBusMaster, isOneWireSensor } from '../../../src/devices/onewire/w1-address.ts';
import { createRandom } from '../../http/fuzz/random.ts';

/** The kernel's text for a DS18B20 with a valid checksum. */
const good = (milli: number) =>
  `4d 01 4b 46 7f ff 0c 10 d8 : crc=d8 YES\n4d 01 4b 46 7f ff 0c 10 d8 t=${milli}\n`;
const badChecksum = good(4_500).replace('YES', 'NO');

const cellar = '28-00000a1b2c3d';
const cooler = '28-00000a1b2c3e';

/** A 1-Wire bus as the kernel shows it: one folder per device. */
function createBus(options: { readonly readLimitMs?: number; readonly expected?: readonly string[] } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'tapster-w1-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const clock = { ms: 0 };
  const bus = createOneWireBus({ directory, nowMonoMs: () => clock.ms, ...options });
  return {
    directory,
    clock,
    bus,
    plug(sensor: string, text: string, file = 'w1_slave') {
      mkdirSync(join(directory, sensor), { recursive: true });
      writeFileSync(join(directory, sensor, file), text);
    },
    unplug: (sensor: string) => rmSync(join(directory, sensor), { recursive: true }),
    /** A minute later. */
    async read() {
      clock.ms += 60_000;
      return (await bus.read()).map(formatReading);
    },
  };
}

function formatReading(one: ThermoReading): string {
  switch (one.kind) {
    case 'temperature':
      return `${one.sensor} ${one.tempC}`;
    case 'refused':
      return `${one.sensor} refused: ${one.reason}`;
    case 'stale':
      return `${one.sensor} stale: ${one.reason}`;
  }
}

/** A sensor that never answers: opening a pipe without a writer blocks like a hung bus. */
function createHungSensor(directory: string, sensor: string): void {
  const pipe = join(directory, sensor, 'w1_slave');
  mkdirSync(join(directory, sensor));
  execFileSync('mkfifo', [pipe]);
  onTestFinished(() => closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)));
}

test('every temperature sensor is read, other devices are not', async () => {
  const { plug, read } = createBus();
  plug(cooler, good(-1_250));
  plug(cellar, good(4_500));
  plug('10-000802345678', good(21_000));
  plug('01-00001234abcd', good(9_000));
  plug('00-400000000000', good(9_000));
  plug('w1_bus_master1', '');
  expect(await read()).toEqual(['10-000802345678 21', `${cellar} 4.5`, `${cooler} -1.25`]);
});

test('without a 1-Wire bus there are no readings and no errors', async () => {
  const { directory, read } = createBus();
  rmSync(directory, { recursive: true });
  expect(await read()).toEqual([]);
});

test('bad readings are refused with a reason, and the other sensor is read', async () => {
  const { plug, read } = createBus();
  plug(cooler, good(4_000));
  plug(cellar, badChecksum);
  expect(await read()).toEqual([`${cellar} refused: bad checksum`, `${cooler} 4`]);
  plug(cellar, good(85_000));
  expect((await read())[0]).toMatch(/refused: not converted yet/);
  plug(cellar, '');
  expect((await read())[0]).toBe(`${cellar} stale: no answer`);
  expect((await read())[0]).toBe(`${cellar} refused: no answer`);
  plug(cellar, good(4_500));
  expect((await read())[0]).toBe(`${cellar} 4.5`);
});

test('a jump by thirty degrees is refused at first', async () => {
  const { plug, read } = createBus();
  plug(cellar, good(4_500));
  await read();
  plug(cellar, good(34_500));
  expect(await read()).toEqual([`${cellar} refused: jumped from 4.5 to 34.5 °C`]);
  plug(cellar, good(4_600));
  expect(await read()).toEqual([`${cellar} 4.6`]);
});

test('an unplugged sensor is stale once and then dropped, and read again when it is back', async () => {
  const { plug, unplug, read } = createBus();
  plug(cellar, good(4_500));
  await read();
  unplug(cellar);
  expect(await read()).toEqual([`${cellar} refused: not on the bus`]);
  expect(await read()).toEqual([`${cellar} refused: not on the bus`]);
  expect(await read()).toEqual([`${cellar} stale: not on the bus`]);
  expect(await read()).toEqual([]);
  plug(cellar, good(19_000));
  expect(await read()).toEqual([`${cellar} 19`]);
});

test('a sensor unplugged between listing and reading is refused once', async () => {
  const { directory, read } = createBus();
  mkdirSync(join(directory, cellar));
  expect(await read()).toEqual([`${cellar} refused: left the bus`]);
});

test('the `temperature` file is read when there is no `w1_slave`', async () => {
  const { plug, read } = createBus();
  plug(cellar, '4500\n', 'temperature');
  plug(cooler, 'warm\n', 'temperature');
  expect(await read()).toEqual([`${cellar} 4.5`, `${cooler} refused: no value`]);
});

test('two sensors use the bulk conversion when the kernel offers it, a single one does not', async () => {
  const { directory, plug, read } = createBus();
  const trigger = join(directory, 'w1_bus_master1', 'therm_bulk_read');
  plug('w1_bus_master1', '', 'therm_bulk_read');
  plug(cellar, good(4_500));
  await read();
  expect(readFileSync(trigger, 'latin1')).toBe('');
  plug(cooler, good(5_000));
  expect(await read()).toEqual([`${cellar} 4.5`, `${cooler} 5`]);
  expect(readFileSync(trigger, 'latin1')).toBe('trigger\n');
});

test('a reading longer than one page is refused', async () => {
  const { plug, read } = createBus();
  plug(cellar, 'x'.repeat(10_000_000));
  expect(await read()).toEqual([`${cellar} refused: answer too long`]);
});

test('at most 64 sensors are read', async () => {
  const { plug, read } = createBus();
  for (let i = 0; i < 70; i++) plug(`28-${i.toString(16).padStart(12, '0')}`, good(4_000 + i));
  const readings = await read();
  expect(readings).toHaveLength(64);
  expect(readings[63]).toBe('28-00000000003f 4.063');
});

test('one hung sensor affects only its own reading in every round', async () => {
  const { directory, plug, read } = createBus({ readLimitMs: 60 });
  createHungSensor(directory, cellar);
  plug(cooler, good(4_000));
  expect(await read()).toEqual([`${cellar} refused: no answer in time`, `${cooler} 4`]);
  expect(await read()).toEqual([
    `${cellar} refused: the bus hangs; disconnect its power briefly`,
    `${cooler} 4`,
  ]);
});

test('when all sensors hang, only two threads are blocked', async () => {
  const { directory, read } = createBus({ readLimitMs: 60 });
  const sensors = [1, 2, 3, 4, 5].map((i) => `28-00000000000${i}`);
  for (const sensor of sensors) createHungSensor(directory, sensor);
  const readings = await read();
  expect(readings.map((text) => text.split('refused: ')[1])).toEqual([
    'no answer in time',
    'no answer in time',
    ...Array(3).fill('the bus hangs; disconnect its power briefly'),
  ]);
});

test('a hung sensor that answers at last is read again', async () => {
  const { directory, read } = createBus({ readLimitMs: 60 });
  createHungSensor(directory, cellar);
  expect(await read()).toEqual([`${cellar} refused: no answer in time`]);
  const pipe = openSync(join(directory, cellar, 'w1_slave'), constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(pipe));
  writeSync(pipe, good(4_500).repeat(2));
  await expect.poll(async () => (await read())[0], { interval: 1 }).not.toMatch(/the bus hangs/);
});

test('two concurrent reads share one round', async () => {
  const { bus, plug } = createBus();
  plug(cellar, good(4_500));
  const [first, second] = await Promise.all([bus.read(), bus.read()]);
  expect(second).toBe(first);
});

test('temperature sensors and buses are recognised by name', () => {
  for (const name of [
    '28-00000a1b2c3d',
    '10-000802345678',
    '22-000000000001',
    '3b-0c98073d9b43',
    '42-00000000000a',
  ]) {
    expect(isOneWireSensor(name)).toBe(true);
  }
  for (const name of [
    '01-00001234abcd',
    '00-400000000000',
    'w1_bus_master1',
    '28-',
    '28-../../etc',
    '..',
    '',
  ]) {
    expect(isOneWireSensor(name)).toBe(false);
  }
  expect(isBusMaster('w1_bus_master1')).toBe(true);
  expect(isBusMaster('w1_bus_master1/..')).toBe(false);
});

test('an expected sensor that was never found becomes stale like one that stopped answering', async () => {
  const { plug, read } = createBus({ expected: [cellar, 'kegboard-7.thermo-28'] });
  plug(cooler, good(4_000));
  const missing = `${cellar} refused: not on the bus`;
  expect(await read()).toEqual([`${cooler} 4`, missing]);
  expect(await read()).toEqual([`${cooler} 4`, missing]);
  expect(await read()).toEqual([`${cooler} 4`, `${cellar} stale: not on the bus`]);
  plug(cellar, good(6_000));
  expect(await read()).toEqual([`${cellar} 6`, `${cooler} 4`]);
});

test('any file content gives a plausible temperature or a reason, and nothing of other files', async () => {
  const chance = createRandom(20_261_121);
  const { read, plug, directory } = createBus();
  const secret = join(directory, 'secret.txt');
  writeFileSync(secret, `the key of the staff is 4711 crc=00 NO t=${'9'.repeat(400)}\n`);
  mkdirSync(join(directory, cooler));
  symlinkSync(secret, join(directory, cooler, 'w1_slave'));
  for (const name of ['28-', '28-00000a1b2c3d4e5f60718', '28-..', 'etc', '28-zz', 'w1_bus_master9999']) {
    plug(name, good(4_500));
  }
  const complete = good(4_500);
  for (let round = 0; round < 200; round++) {
    const at = chance.below(complete.length);
    const strange = chance.bytes(chance.below(12)).toString('latin1');
    const text = chance.oneIn(4)
      ? chance.bytes(chance.below(600)).toString('latin1')
      : complete.slice(0, at) + strange + complete.slice(at + chance.below(20));
    plug(cellar, text);
    for (const text of await read()) {
      expect(text).toMatch(new RegExp(`^(${cellar}|${cooler}) `));
      expect(text).not.toContain('4711');
      const tempC = /^\S+ (-?[\d.]+)$/.exec(text)?.[1];
      if (tempC !== undefined) expect(Math.abs(Number(tempC))).toBeLessThanOrEqual(125);
    }
  }
});
