import { strict as assert } from 'node:assert';
import { createConfig } from '../../config.mjs';
import { test } from '../../harness.mjs';
import { createInstance } from '../../instance.mjs';
import { holdLine, taps } from '../../pins.mjs';

test('the doctor names the chip, its lines and their owners', async () => {
  await holdLine(taps, 5, 'keg-cooler');
  const instance = createInstance(createConfig({ lines: [4, 5], driver: 'auto' }));
  const result = instance.run('doctor');
  const report = result.stdout + result.stderr;
  for (const expected of ['taps', taps.name, 'pi.flow4', 'pi.flow5', 'keg-cooler']) {
    assert.ok(report.includes(expected), `${expected} is missing in:\n${report}`);
  }
});
