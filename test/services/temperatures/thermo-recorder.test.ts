import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { joinMessages } from '../../../src/core/health/problems.ts';
import type { ThermoBus, ThermoReading } from '../../../src/devices/device-interfaces.ts';
import { joinThermo, ThermoRecorder } from '../../../src/services/temperatures/thermo-recorder.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { at, minute, openBar } from '../../engine/bar.ts';

const sensorName = '28-00000a1b2c3d';
const warm = (tempC: number): ThermoReading => ({ kind: 'temperature', sensor: sensorName, tempC });
const silent: ThermoReading = { kind: 'stale', sensor: sensorName, reason: 'not on the bus' };

/** A recorder with a real database, whose sensors return the given readings. */
function createRecorder() {
  const bar = openBar();
  const problems: (string | null)[] = [];
  const logged: string[] = [];
  let now = at(0);
  let next: readonly ThermoReading[] = [];
  let isDiskFull = false;
  const recorder = new ThermoRecorder({
    sensors: { read: async () => next },
    bus: createEventBus(() => {}),
    thermo: () => {
      if (isDiskFull) throw new AppError('unavailable', 'The disk is full.');
      return bar.engine.temperatures;
    },
    clock: { now: () => now },
    reportProblem: (current) => problems.push(joinMessages(current)),
    log: createLog({ level: 'info', isHumanReadable: false, write: (line) => logged.push(line) }).log,
  });
  return {
    bar,
    recorder,
    problems,
    logged,
    findStored: () => bar.engine.temperatures.find(sensorName)?.last ?? null,
    setClock(to: Moment) {
      now = to;
    },
    fillDisk: (isFull: boolean) => {
      isDiskFull = isFull;
    },
    /** One round of readings, `afterMs` after the start. */
    async round(afterMs: number, readings: readonly ThermoReading[], options: Partial<Moment> = {}) {
      now = at(afterMs, options);
      next = readings;
      await recorder.poll();
    },
  };
}

test('the first reading is stored at once, the next ones in a batch after ten minutes', async () => {
  const { round, findStored, recorder } = createRecorder();
  await round(0, [warm(4)]);
  expect(findStored()).toMatchObject({ tempC: 4 });
  await round(9 * minute, [warm(5)]);
  expect(findStored()).toMatchObject({ tempC: 4 });
  expect(recorder.latestTemperatures().get(sensorName)).toMatchObject({
    tempC: 5,
    timeMs: at(9 * minute).wallMs,
  });
  await round(10 * minute, [warm(6)]);
  expect(findStored()).toMatchObject({ tempC: 6 });
});

test('a reading that waited while the clock was set is stored with its true time', async () => {
  const { round, findStored, recorder, setClock } = createRecorder();
  const unset = { synced: false, wallMs: Date.UTC(1970, 0, 1) };
  await round(0, [warm(4)], unset);
  await round(minute, [warm(5)], { ...unset, wallMs: unset.wallMs + minute });
  setClock(at(3 * minute));
  expect(recorder.latestTemperatures().get(sensorName)?.timeMs).toBe(at(minute).wallMs);
  recorder.flush();
  expect(findStored()).toMatchObject({ tempC: 5, timeMs: at(minute).wallMs });
});

test('a silent sensor is reported by name with its reason until it works again', async () => {
  const { round, problems, recorder } = createRecorder();
  await round(0, [warm(4)]);
  expect(problems.at(-1)).toBeNull();
  await round(minute, [silent]);
  expect(problems.at(-1)).toMatch(/28-00000a1b2c3d gives no usable reading \(not on the bus\)/);
  expect(recorder.latestTemperatures().get(sensorName)).toMatchObject({ tempC: 4, isStale: true });
  await round(2 * minute, []);
  expect(problems.at(-1)).toMatch(/28-00000a1b2c3d/);
  await round(3 * minute, [warm(4)]);
  expect(problems.at(-1)).toBeNull();
  expect(recorder.latestTemperatures().get(sensorName)).toMatchObject({ isStale: false });
});

test('a rejected reading is logged once per reason', async () => {
  const { round, problems, logged } = createRecorder();
  const refused: ThermoReading = { kind: 'refused', sensor: sensorName, reason: 'bad checksum' };
  await round(0, [refused]);
  await round(minute, [refused]);
  expect(logged.filter((line) => line.includes('bad checksum'))).toHaveLength(1);
  expect(problems.at(-1)).toBeNull();
});

test('readings that cannot be stored wait, and this is reported together with other problems', async () => {
  const { round, problems, findStored, fillDisk } = createRecorder();
  fillDisk(true);
  await round(0, [warm(4), { ...silent, sensor: '28-00000a1b2c3e' }]);
  expect(problems.at(-1)).toMatch(/cannot be stored.*28-00000a1b2c3e/);
  fillDisk(false);
  await round(minute, [warm(5)]);
  expect(problems.at(-1)).not.toMatch(/cannot be stored/);
  expect(findStored()).toMatchObject({ tempC: 5 });
});

const sensorReading = { kind: 'temperature', sensor: '28-0000', tempC: 8 } as const;
const boardReading = { kind: 'temperature', sensor: 'kegboard.thermo-0', tempC: 5 } as const;
const broken: ThermoBus = {
  read: async () => {
    throw new Error('no bus');
  },
};

test('sensors of several buses are read in one round', async () => {
  const both = joinThermo([{ read: async () => [sensorReading] }, { read: async () => [boardReading] }]);
  expect(await both.read()).toEqual([sensorReading, boardReading]);
});

test('a bus that cannot be read hides no other; reading fails only when every bus fails', async () => {
  expect(await joinThermo([broken, { read: async () => [boardReading] }]).read()).toEqual([boardReading]);
  await expect(joinThermo([broken]).read()).rejects.toThrow('no bus');
});

test('a sensor is stale when no round has read it for three intervals and a minute', async () => {
  const { round, recorder, setClock } = createRecorder();
  await round(0, [warm(4)]);
  const isStale = () => [
    recorder.latestTemperatures().get(sensorName)?.isStale,
    recorder.knownSensors()[0]?.isStale,
  ];
  setClock(at(4 * minute));
  expect(isStale()).toEqual([false, false]);
  setClock(at(4 * minute + 1));
  expect(isStale()).toEqual([true, true]);
  await round(5 * minute, [warm(4)]);
  expect(isStale()).toEqual([false, false]);
});
