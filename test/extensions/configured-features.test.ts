import { expect, test } from 'vitest';
import type { Config } from '../../src/config/schema.ts';
import { configuredFeatures } from '../../src/extensions/extension.ts';

const config = (features: Readonly<Record<string, boolean>>, database = '') =>
  ({ features, database }) as unknown as Config;
const isConfigured = ({ database }: Config) => database !== '';
const all = [
  { name: 'darts' },
  { name: 'cards', isConfigured },
  { name: 'billiards', isConfigured, needsConfiguration: true as const },
];

test('what the settings file sets up is on, and some things cannot be on without', () => {
  expect(configuredFeatures(all, config({}))).toEqual({ billiards: false });
  expect(configuredFeatures(all, config({ billiards: true, cards: true }))).toEqual({
    billiards: false,
    cards: true,
  });
  expect(configuredFeatures(all, config({}, 'table 1'))).toEqual({ billiards: true, cards: true });
  expect(configuredFeatures(all, config({ darts: true, billiards: false }, 'table 1'))).toEqual({
    darts: true,
    billiards: false,
    cards: true,
  });
});
