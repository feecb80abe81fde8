import { expect, test } from 'vitest';
import type { Config } from '../../src/config/schema.ts';
import { configuredFeatures } from '../../src/extensions/extension.ts';

const config = (features: Readonly<Record<string, boolean>>, database = '') =>
  ({ features, database }) as unknown as Config;
const all = [
  { name: 'darts' },
  { name: 'billiards', isConfigured: ({ database }: Config) => database !== '' },
];

test('what the settings file sets up is on, and cannot be on without', () => {
  expect(configuredFeatures(all, config({}))).toEqual({ billiards: false });
  expect(configuredFeatures(all, config({ billiards: true }))).toEqual({ billiards: false });
  expect(configuredFeatures(all, config({}, 'table 1'))).toEqual({ billiards: true });
  expect(configuredFeatures(all, config({ darts: true, billiards: false }, 'table 1'))).toEqual({
    darts: true,
    billiards: false,
  });
});
