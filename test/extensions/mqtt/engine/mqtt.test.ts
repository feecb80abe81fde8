import { expect, test } from 'vitest';
import type { Config } from '../../../../src/config/schema.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { configuredFeatures } from '../../../../src/extensions/extension.ts';
import { mqtt } from '../../../../src/extensions/mqtt/extension.ts';
import { at, openBar } from '../../../engine/bar.ts';
import { switchOn } from '../../../kit/extensions.ts';

const switchedOn = await switchOn([mqtt]);

test('a topic that Tapster publishes is refused for a scale', () => {
  const { engine } = openBar(':memory:', {}, switchedOn);
  const own = engine.serviceOf(mqtt);
  const create = (topic: string) => engine.scales.create({ name: topic, topic });
  expect(() => create(`tapster/${own.siteId()}/taps/1/state`)).toThrow(/topic/);
  create('tapster/other/scale');
  own.change({ topicPrefix: 'bar', siteId: 'left' }, systemActor, at(0));
  expect(() => create('bar/left/scale')).toThrow(/topic/);
  create(`tapster/${own.siteId()}/taps/1/state`);
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
