import { expect, test } from 'vitest';
import { servingSizesAt, simulatedServing } from '../../../src/web/app/serving-sizes.ts';
import { createSnapshot, createTap } from '../../browser/kit/live-messages.ts';

const sizes = [150, 350, 500].map((volume_ml, n) => ({ id: n + 1, volume_ml, name: '', names: {} }));
const volumes = (...input: Parameters<typeof servingSizesAt>) =>
  servingSizesAt(...input).map(({ volume_ml: ml }) => Math.round(ml));

test('a tap offers the sizes chosen for it, else all of the site', () => {
  const snapshot = createSnapshot({ serving_sizes: sizes });
  expect(volumes(createTap({ serving_size_ids: [1, 3] }), snapshot)).toEqual([150, 500]);
  expect(volumes(createTap(), snapshot)).toEqual([150, 350, 500]);
  expect(volumes(null, snapshot)).toEqual([150, 350, 500]);
});

test('a site without sizes offers the usual ones in its units', () => {
  expect(volumes(null, createSnapshot())).toEqual([200, 300, 400, 500]);
  expect(volumes(null, createSnapshot({ volume_units: 'us' }))).toEqual([118, 296, 473]);
  expect(volumes(null, createSnapshot({ volume_units: 'uk' }))).toEqual([189, 284, 379, 568]);
});

test('a simulated pour has the middle size of the tap', () => {
  const snapshot = createSnapshot({ serving_sizes: [...sizes].reverse() });
  expect(simulatedServing(createTap(), snapshot).volume_ml).toBe(350);
  expect(simulatedServing(createTap({ serving_size_ids: [1, 3] }), snapshot).volume_ml).toBe(150);
});
