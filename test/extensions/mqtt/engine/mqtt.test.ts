import { expect, test } from 'vitest';
import type { Config } from '../../../../src/config/schema.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { configuredFeatures } from '../../../../src/extensions/extension.ts';
import { mqtt } from '../../../../src/extensions/mqtt/extension.ts';
import { at, openBar } from '../../../engine/bar.ts';
import { switchOn } from '../../../kit/extensions.ts';

const switchedOn = await switchOn([mqtt]);

test('it tells which topics it publishes to', () => {
  const { engine } = openBar(':memory:', {}, switchedOn);
  const own = engine.serviceOf(mqtt);
  const { publishesTo } = engine.hooks;
  expect(publishesTo(`tapster/${own.siteId()}/taps/1/state`)).toBe(true);
  expect(publishesTo('tapster/other/scale')).toBe(false);
  own.change({ topicPrefix: 'bar', siteId: 'left' }, systemActor, at(0));
  expect(publishesTo('bar/left/scale')).toBe(true);
  expect(publishesTo(`tapster/${own.siteId()}/taps/1/state`)).toBe(false);
});

test.each([
  [{}, {}],
  [{ topic_prefix: 'bar' }, {}],
  [{ host: '' }, {}],
  [{ host: 'broker.local' }, { mqtt: true }],
  [{ host: 'broker.local', enabled: false }, {}],
  [{ enabled: true }, { mqtt: true }],
])('the settings file with %j decides %j', (group, decided) => {
  const config = (features: Config['features']) =>
    ({ groups: { mqtt: group }, features }) as unknown as Config;
  expect(configuredFeatures([mqtt], config({}))).toEqual(decided);
  expect(configuredFeatures([mqtt], config({ mqtt: false }))).toEqual({ mqtt: false });
});
