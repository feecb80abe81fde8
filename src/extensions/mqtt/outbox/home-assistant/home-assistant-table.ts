import type { TapView } from '../../../../engine/engine.ts';
import { mqttDefaults } from '../../core/mqtt-settings.ts';
import { createTopics } from '../topics.ts';
import { type Entity, entitiesOfMachine, entitiesOfTap } from './home-assistant-entities.ts';

/** A tap that has everything. */
const fullTap = { tap: { id: 1, thermoSensor: {}, toggle: {} }, beverage: { picture: {} } } as TapView;

/** Formats every entity as a Markdown table; docs/mqtt.md contains it. */
export function entityTable(): string {
  const settings = {
    ...mqttDefaults,
    allowsValves: true,
    hasAddress: true,
    isPackage: true,
    temperatureIntervalS: () => 60,
    longestPourS: 300,
  };
  const topics = createTopics('tapster', 'bar');
  const rows = [
    ...toRows('tap', entitiesOfTap(fullTap, topics, settings)),
    ...toRows('machine', entitiesOfMachine(settings, topics)),
  ];
  return [
    '| Device | Key | Platform | Class | State class | Unit | |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const toRows = (device: string, entities: Readonly<Record<string, Entity>>): string[] =>
  Object.entries(entities).map(([key, entity]) => {
    const { p, dev_cla: deviceClass, stat_cla: stateClass, unit_of_meas: unit } = entity;
    const notes = [
      ...(entity.ent_cat === undefined ? [] : ['diagnostic']),
      ...(entity.enabled_by_default === false ? ['disabled at first'] : []),
    ];
    const cells = [device, `\`${key}\``, p, deviceClass, stateClass, unit, notes.join(', ')];
    return `| ${cells.map((cell) => (cell === undefined ? '' : String(cell))).join(' | ')} |`;
  });
