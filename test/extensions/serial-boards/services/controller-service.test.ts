import { expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { ControllerService } from '../../../../src/extensions/serial-boards/services/controller-service.ts';
import { openBar } from '../../../engine/bar.ts';

const uno = {
  name: 'kegboard-deadbeef',
  modelName: 'Kegboard, firmware 18',
  serialNumber: 'KB-0000-0000-deadbeef',
  meters: ['flow0', 'flow1'],
  toggles: ['relay0'],
};

test('a board is registered with its meters and relays at its first report only', () => {
  const { engine, store } = openBar();
  const service = new ControllerService(
    () => engine.taps.hardware,
    (fault) => {
      throw fault;
    },
  );
  service.register(uno);
  const meter = engine.taps.hardware.meters().find(({ name }) => name === 'kegboard-deadbeef.flow0')!;
  engine.taps.hardware.setCalibration(meter.id, 2.2);
  service.register(uno);
  service.register({ ...uno, serialNumber: null, meters: ['flow2'], toggles: [] });
  const own = engine.taps.hardware.meters().filter(({ name }) => name.startsWith('kegboard-'));
  expect(own.map(({ portName, ticksPerMl }) => [portName, ticksPerMl])).toEqual([
    ['flow0', 2.2],
    ['flow1', expect.any(Number)],
    ['flow2', expect.any(Number)],
  ]);
  expect(engine.taps.hardware.toggles().map(({ name }) => name)).toContain('kegboard-deadbeef.relay0');
  expect(engine.taps.hardware.controllers().find(({ name }) => name === uno.name)).toMatchObject({
    serialNumber: 'KB-0000-0000-deadbeef',
  });
  store.close();
});

test('a board that reports while the database is closed waits, is logged once, and is registered later', () => {
  const { engine, store } = openBar();
  const faults: unknown[] = [];
  let isOpen = false;
  const service = new ControllerService(
    () => {
      if (!isOpen) throw new AppError('unavailable', 'The database is not open yet.');
      return engine.taps.hardware;
    },
    (fault) => faults.push(fault),
  );
  service.register(uno);
  service.retry();
  expect(faults).toHaveLength(1);
  isOpen = true;
  service.retry();
  expect(engine.taps.hardware.controllers().some(({ name }) => name === uno.name)).toBe(true);
  store.close();
});
