import { expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { createOdometer } from '../../../src/http/live/odometer.ts';
import type { RunningPour } from '../../../src/http/ports.ts';
import { createTestServer, openingMs } from '../test-server.ts';

const now = { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' };
const curve = {
  points: [
    { hz: 50, ticksPerMl: 1.6 },
    { hz: 100, ticksPerMl: 2 },
  ],
  offsetTicks: 0,
};
/** 2 s at 50 ticks per second. */
const series = Array.from({ length: 20 }, (_, i) => `${i * 100}:5`).join(' ');

function createWatch() {
  const { engine } = createTestServer();
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const running = new Map<string, RunningPour>();
  const toMessage = createOdometer(engine, bus, { runningPours: () => running });
  const [left] = engine.taps.hardware.meters().filter(({ name }) => name === 'pi.flow0');
  const setCurve = () => {
    engine.drinks.calibrate(left!.id, { curve, kegId: null }, now);
    bus.publish({ type: 'database.changed' });
  };
  const flowing = { pour_id: 'p1', state: 'flowing', ticks: 100 } as const;
  return { running, toMessage, setCurve, flowing };
}

test('a running pour has the volume of its factor, with a curve that of its rate', () => {
  const { running, toMessage, setCurve, flowing } = createWatch();
  running.set('pi.flow0', { pourId: 'p1', ticks: 100, series });
  expect(toMessage('pi.flow0', flowing)).toMatchObject({ tap_id: '1', ticks: 100, volume_ml: 50 });
  setCurve();
  expect(toMessage('pi.flow0', flowing)?.volume_ml).toBeCloseTo(100 / 1.6, 9);
});

test('an ended pour has the volume of its own series, and one without exact times that of the one factor', () => {
  const { running, toMessage, setCurve, flowing } = createWatch();
  setCurve();
  const ended = { ...flowing, state: 'ended' } as const;
  expect(toMessage('pi.flow0', ended, series)?.volume_ml).toBeCloseTo(100 / 1.6, 9);
  expect(toMessage('pi.flow0', ended)?.volume_ml).toBe(50);
  running.set('pi.flow0', { pourId: 'p1', ticks: 100 });
  expect(toMessage('pi.flow0', flowing)?.volume_ml).toBe(50);
  expect(toMessage('pi.flow9', flowing)).toBeNull();
});
