import { strict as assert } from 'node:assert';
import { bar } from '../../bar.mjs';
import { test } from '../../harness.mjs';
import { buildHouse } from '../../house.mjs';
import { holdLine, taps } from '../../pins.mjs';

test('the doctor names the chip, its lines and who owns them', async () => {
  await holdLine(taps, 5, 'keg-cooler');
  const house = buildHouse(bar({ lines: [4, 5], driver: 'auto' }));
  const visit = house.run('doctor');
  const report = visit.stdout + visit.stderr;
  for (const word of ['taps', taps.name, 'pi.flow4', 'pi.flow5', 'keg-cooler']) {
    assert.ok(report.includes(word), `no word of ${word} in:\n${report}`);
  }
});
