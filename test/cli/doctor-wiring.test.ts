import { expect, test } from 'vitest';
import { wiringFindings } from '../../src/cli/doctor/wiring.ts';
import type { Config } from '../../src/config/schema.ts';

const pi5 = { board: 'Raspberry Pi 5 Model B Rev 1.0', kernel: '6.12.96' };

function createConfig(pins: readonly number[], driver = 'auto'): Config {
  const meters = pins.map((pin, index) => ({ port: `flow${index}`, pin }));
  return { controller: { name: 'pi' }, gpio: { driver }, meters, toggles: [] } as unknown as Config;
}

test('the doctor reports the header pin of a meter', () => {
  expect(wiringFindings(createConfig([17]), pi5)).toMatchObject([
    { status: 'ok', text: 'pi.flow0: GPIO 17 is header pin 11.' },
  ]);
});

test('a meter on the 1-Wire pin is a warning, and so is a header pin used as GPIO number', () => {
  const [thermometers, offHeader] = wiringFindings(createConfig([4, 38]), pi5);
  expect(thermometers).toMatchObject({
    status: 'warn',
    text: expect.stringMatching(/header pin 7, .*1-Wire/),
  });
  expect(offHeader).toMatchObject({ status: 'warn', text: expect.stringMatching(/not on the header/) });
});

test('an unknown board is no fault, and simulated pins need no wire', () => {
  expect(wiringFindings(createConfig([17]), { board: 'unknown board', kernel: '6.1' })).toMatchObject([
    { status: 'unknown' },
  ]);
  expect(wiringFindings(createConfig([17], 'simulated'), pi5)).toMatchObject([{ status: 'unknown' }]);
});
