import { expect, test } from 'vitest';
import { AppError } from '../../src/core/app-error.ts';
import { ControllerDesk } from '../../src/daemon/controller-desk.ts';
import { openBar } from '../engine/bar.ts';

const uno = {
  name: 'kegboard-deadbeef',
  modelName: 'Kegboard, firmware 18',
  serialNumber: 'KB-0000-0000-deadbeef',
  meters: ['flow0', 'flow1'],
  toggles: ['relay0'],
};

test('a board is entered with its meters and relays when it is first heard, and only then', () => {
  const { engine, store } = openBar();
  const desk = new ControllerDesk(
    () => engine.hardware,
    (fault) => {
      throw fault;
    },
  );
  desk.heard(uno);
  const meter = engine.hardware.meters().find(({ name }) => name === 'kegboard-deadbeef.flow0')!;
  engine.hardware.setCalibration(meter.id, 2.2);
  desk.heard(uno);
  desk.heard({ ...uno, serialNumber: null, meters: ['flow2'], toggles: [] });
  const own = engine.hardware.meters().filter(({ name }) => name.startsWith('kegboard-'));
  expect(own.map(({ portName, ticksPerMl }) => [portName, ticksPerMl])).toEqual([
    ['flow0', 2.2],
    ['flow1', expect.any(Number)],
    ['flow2', expect.any(Number)],
  ]);
  expect(engine.hardware.toggles().map(({ name }) => name)).toContain('kegboard-deadbeef.relay0');
  expect(engine.hardware.controllers().find(({ name }) => name === uno.name)).toMatchObject({
    serialNumber: 'KB-0000-0000-deadbeef',
  });
  store.close();
});

test('a board that is heard while the ledger is closed waits, is told of once, and is entered later', () => {
  const { engine, store } = openBar();
  const faults: unknown[] = [];
  let isOpen = false;
  const desk = new ControllerDesk(
    () => {
      if (!isOpen) throw new AppError('unavailable', 'The ledger is not open yet.');
      return engine.hardware;
    },
    (fault) => faults.push(fault),
  );
  desk.heard(uno);
  desk.settle();
  expect(faults).toHaveLength(1);
  isOpen = true;
  desk.settle();
  expect(engine.hardware.controllers().some(({ name }) => name === uno.name)).toBe(true);
  store.close();
});
