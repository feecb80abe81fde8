import { expect, test } from 'vitest';
import { upstream } from '../../../../src/extensions/upstream/extension.ts';
import { at, hour, minute, openBar, openingMs, pour } from '../../../engine/bar.ts';
import { switchOn } from '../../../kit/extensions.ts';

test('while it is off, what waits follows a corrected clock', async () => {
  const switchedOn = await switchOn([upstream]);
  const { engine } = openBar(':memory:', {}, switchedOn);
  const unset = at(minute, { synced: false, wallMs: openingMs - 240 * hour });
  engine.drinks.pours.record(pour(unset), 'pin', unset);
  engine.useExtensions([]);
  engine.drinks.clockCorrection.correct(at(hour));
  engine.useExtensions(switchedOn.engine.loaded);
  expect(engine.serviceOf(upstream).waiting(10)).toMatchObject([
    { type: 'pour', atMs: at(minute).wallMs, timeCertain: true },
  ]);
});
