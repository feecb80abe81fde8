import { expect, test } from 'vitest';
import { configWarnings } from '../../src/cli/check.ts';
import type { Config } from '../../src/config/schema.ts';
import { loadConfig } from '../../src/daemon/load-config.ts';

const { config: demo } = loadConfig({ env: {}, installed: '/nowhere/tapster.json' });
const withDriver = (driver: Config['gpio']['driver']): Config => ({ ...demo, gpio: { driver } });

test('the demo has no warnings', () => {
  expect(configWarnings(demo)).toEqual([]);
});

test('a pin driver that is not installed is reported with the command that installs it', () => {
  const none = () => false;
  expect(configWarnings(withDriver('pigpio'), none)).toEqual([
    expect.stringMatching(/pigpio is not installed.*"npm install --no-save pigpio"/),
  ]);
  expect(configWarnings(withDriver('onoff'), none)).toHaveLength(1);
  expect(configWarnings(withDriver('auto'), none)).toEqual([
    expect.stringContaining('fallback driver onoff'),
  ]);
  expect(configWarnings(withDriver('cdev'), none)).toEqual([]);
  expect(configWarnings(withDriver('pigpio'), () => true)).toEqual([]);
});

test('a bar without meters has a warning', () => {
  const bare = { ...demo, meters: [], toggles: [], taps: [{ name: 'Left' }] };
  expect(configWarnings(bare)).toEqual([
    'no meter is declared, so no pin is counted.',
    'the tap "Left" has no meter; its pours come from elsewhere.',
  ]);
});

test('a meter of which the fewest ticks of a drink are more than a small glass has a warning', () => {
  const withFactor = (ticks_per_ml: number) => ({
    ...demo,
    meters: [{ ...demo.meters[0]!, ticks_per_ml }, ...demo.meters.slice(1)],
  });
  expect(configWarnings(withFactor(0.01))).toEqual([
    expect.stringMatching(/pour\.min_ticks 3 is 300 mL: what is less is counted as a drip/),
  ]);
  // A YF-S201: 3 ticks are 6.7 mL.
  expect(configWarnings(withFactor(0.45))).toEqual([]);
});
