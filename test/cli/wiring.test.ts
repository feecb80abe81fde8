import { expect, test } from 'vitest';
import { wiringFindings } from '../../src/cli/doctor/wiring.ts';
import type { Config } from '../../src/config/schema.ts';

const pi5 = { board: 'Raspberry Pi 5 Model B Rev 1.0', kernel: '6.12.96' };

function createConfig(pins: readonly number[], driver = 'auto'): Config {
  const meters = pins.map((pin, place) => ({ port: `flow${place}`, pin }));
  return { controller: { name: 'pi' }, gpio: { driver }, meters, toggles: [] } as unknown as Config;
}

test('the doctor says on which header pin a meter’s wire belongs', () => {
  expect(wiringFindings(createConfig([17]), pi5)).toMatchObject([
    { verdict: 'ok', text: 'pi.flow0: GPIO 17 is header pin 11.' },
  ]);
});

test('a meter on the thermometers’ pin is warned of, and so is a header pin taken for a GPIO number', () => {
  const [thermometers, offHeader] = wiringFindings(createConfig([4, 38]), pi5);
  expect(thermometers).toMatchObject({
    verdict: 'warn',
    text: expect.stringMatching(/header pin 7, .*1-Wire/),
  });
  expect(offHeader).toMatchObject({ verdict: 'warn', text: expect.stringMatching(/not on the header/) });
});

test('a board without a table is no fault, and simulated pins need no wire', () => {
  expect(wiringFindings(createConfig([17]), { board: 'unknown board', kernel: '6.1' })).toMatchObject([
    { verdict: 'unknown' },
  ]);
  expect(wiringFindings(createConfig([17], 'simulated'), pi5)).toMatchObject([{ verdict: 'unknown' }]);
});
