import { expect, test } from 'vitest';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { simulatePour } from '../../../src/devices/simulated/simulated-pour.ts';
import { createTraffic } from '../../../src/devices/simulated/traffic.ts';

const meters = [
  { name: 'pi.flow0', ticksPerMl: 5.4 },
  { name: 'pi.flow1', ticksPerMl: 2.2 },
];

/** A random number generator with a fixed seed. */
function createSeededRandom(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

test('the first step has no pour', () => {
  expect(createTraffic({ meters, random: createSeededRandom() }).step(0)).toBeNull();
});

test('in ten hours there are 300 to 500 plausible pours, spread over the taps', () => {
  const traffic = createTraffic({ meters, random: createSeededRandom() });
  const pours = [];
  for (let ms = 0; ms < 36_000_000; ms += 1_000) {
    const pour = traffic.step(ms);
    if (pour) pours.push(pour);
  }
  expect(pours.length).toBeGreaterThan(300);
  expect(pours.length).toBeLessThan(500);
  for (const { name, ticksPerMl } of meters) {
    const here = pours.filter(({ meter }) => meter === name);
    expect(here.length).toBeGreaterThan(100);
    for (const { volumeMl, flowMlPerS, ticksPerMl: calibration } of here) {
      expect(calibration).toBe(ticksPerMl);
      expect(volumeMl).toBeGreaterThan(180);
      expect(volumeMl).toBeLessThan(545);
      expect(flowMlPerS).toBeGreaterThanOrEqual(50);
      expect(flowMlPerS).toBeLessThan(70);
    }
  }
});

test('the simulated pins accept the pours of a meter with any calibration', () => {
  for (const ticksPerMl of [0.000_1, 0.05, 5.4, 100]) {
    const clock = { ms: 0 };
    const pins = createSimulatedPins({
      meters: [{ name: 'pi.flow0', pin: 17 }],
      toggles: [],
      nowMonoMs: () => clock.ms,
    });
    const traffic = createTraffic({
      meters: [{ name: 'pi.flow0', ticksPerMl }],
      random: createSeededRandom(),
    });
    let pours = 0;
    for (clock.ms = 0; clock.ms < 3_600_000; clock.ms += 1_000) {
      const pour = traffic.step(clock.ms);
      if (pour === null) continue;
      const flow = simulatePour({ ticksPerMl, minLPerMin: null, maxHz: null }, pour);
      pins.pour(pour.meter, flow.stampsMs, flow.durationMs);
      pours++;
      pins.drain();
    }
    expect(pours).toBeGreaterThan(20);
  }
});

test('without simulated taps there are no pours', () => {
  const traffic = createTraffic({ meters: [], random: createSeededRandom() });
  for (let ms = 0; ms < 3_600_000; ms += 1_000) expect(traffic.step(ms)).toBeNull();
});
