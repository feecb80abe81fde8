import type { TapView } from '../../../../engine/engine.ts';
import type { MqttSettings } from '../../core/mqtt-settings.ts';
import { eventKinds, tapStateNames } from '../payload-schemas.ts';
import type { Topics } from '../topics.ts';

export type EntitySettings = Pick<
  MqttSettings,
  | 'discoveryPrefix'
  | 'publishesState'
  | 'publishesMachine'
  | 'publishesEvents'
  | 'publishesNames'
  | 'allowsValves'
>;

/** Times of the machine, seconds. */
export interface EntityTimes {
  /** Interval of the readings of a sensor. */
  readonly temperatureIntervalS: (sensor: string) => number;
  readonly longestPourS: number;
}

/** What the entities of the machine depend on. */
export interface MachineFacts {
  /** False for a checkout, which has no updates. */
  readonly isPackage: boolean;
}

/** Readings that may be missed before a temperature is unknown. */
const missedReadings = 3;

/** A component of a discovery message, with Home Assistant's short keys. One with nothing but its platform is removed. */
export interface Entity {
  /** The platform. */
  readonly p: string;
  readonly [key: string]: unknown;
}

const value = (path: string) => `{{ value_json.${path} }}`;
const diagnostic = { ent_cat: 'diagnostic' } as const;

/** The entities of a tap. Their keys and ids never change. */
export function entitiesOfTap(
  { tap, beverage }: Pick<TapView, 'tap' | 'beverage'>,
  topics: Topics,
  settings: EntitySettings & EntityTimes & { readonly hasAddress: boolean },
): Readonly<Record<string, Entity>> {
  const { id, thermoSensor, toggle } = tap;
  return {
    state: {
      p: 'sensor',
      name: 'State',
      dev_cla: 'enum',
      ops: [...tapStateNames],
      val_tpl: value('state'),
    },
    remaining: {
      p: 'sensor',
      name: 'Keg remaining',
      dev_cla: 'volume_storage',
      stat_cla: 'measurement',
      unit_of_meas: 'L',
      val_tpl: value('remaining_l'),
    },
    // Of no class: volume_storage allows no per cent.
    percent: {
      p: 'sensor',
      name: 'Keg level',
      stat_cla: 'measurement',
      unit_of_meas: '%',
      val_tpl: value('percent'),
    },
    beverage: {
      p: 'sensor',
      name: 'Beverage',
      val_tpl: '{{ value_json.beverage.name if value_json.beverage else None }}',
      json_attr_t: topics.tapState(id),
      json_attr_tpl: '{{ (value_json.beverage or {}) | tojson }}',
    },
    picture:
      beverage?.picture && settings.hasAddress
        ? {
            p: 'image',
            name: 'Beverage picture',
            url_t: topics.tapState(id),
            url_tpl: value('beverage.picture_url'),
          }
        : { p: 'image' },
    temperature:
      thermoSensor === null
        ? { p: 'sensor' }
        : {
            p: 'sensor',
            name: 'Temperature',
            dev_cla: 'temperature',
            stat_cla: 'measurement',
            unit_of_meas: '°C',
            stat_t: topics.tapTemperature(id),
            expire_after: settings.temperatureIntervalS(thermoSensor.rawName) * missedReadings,
          },
    pouring: {
      p: 'binary_sensor',
      name: 'Pouring',
      dev_cla: 'running',
      stat_t: topics.tapPouring(id),
      // If the end is missed.
      off_delay: settings.longestPourS,
    },
    // Without a state class: a single pour is no measurement that has a mean.
    last_pour: {
      p: 'sensor',
      name: 'Last pour',
      dev_cla: 'volume',
      unit_of_meas: 'mL',
      val_tpl: '{{ value_json.last_pour.ml if value_json.last_pour else None }}',
      json_attr_t: topics.tapState(id),
      json_attr_tpl: '{{ (value_json.last_pour or {}) | tojson }}',
    },
    // Not total_increasing: a correction would look like a new meter.
    total: {
      p: 'sensor',
      name: 'Total poured',
      dev_cla: 'volume',
      stat_cla: 'total',
      unit_of_meas: 'L',
      val_tpl: value('total_l'),
    },
    pour: settings.publishesEvents
      ? {
          p: 'event',
          name: 'Event',
          stat_t: topics.tapEvent(id),
          evt_typ: [...eventKinds],
          // An event entity needs the type under this name.
          val_tpl: '{{ dict(value_json, event_type=value_json.kind) | tojson }}',
        }
      : { p: 'event' },
    valve:
      toggle !== null && settings.allowsValves
        ? {
            p: 'valve',
            name: 'Valve',
            stat_t: topics.tapValve(id),
            cmd_t: topics.tapValveSet(id),
            pl_open: 'OPEN',
            pl_cls: 'CLOSE',
            stat_open: 'open',
            stat_clsd: 'closed',
            qos: 1,
            ret: false,
            enabled_by_default: false,
          }
        : { p: 'valve' },
  };
}

/** The entities of the machine. */
export function entitiesOfMachine(
  settings: EntitySettings & MachineFacts,
  topics: Topics,
): Readonly<Record<string, Entity>> {
  const closeAll: Entity = settings.allowsValves
    ? {
        p: 'button',
        name: 'Close all valves',
        cmd_t: topics.valvesSet,
        pl_prs: 'CLOSE_ALL',
        qos: 1,
        ret: false,
      }
    : { p: 'button' };
  const entities: Readonly<Record<string, Entity>> = {
    held_pours: {
      p: 'sensor',
      name: 'Held pours',
      stat_cla: 'measurement',
      unit_of_meas: 'pours',
      val_tpl: value('held_pours'),
    },
    health: {
      p: 'binary_sensor',
      name: 'Problem',
      dev_cla: 'problem',
      ...diagnostic,
      val_tpl: '{{ "OFF" if value_json.healthy else "ON" }}',
    },
    ticks_lost: {
      p: 'sensor',
      name: 'Ticks lost',
      stat_cla: 'total_increasing',
      unit_of_meas: 'ticks',
      ...diagnostic,
      val_tpl: value('ticks_lost'),
    },
    last_backup: {
      p: 'sensor',
      name: 'Last backup',
      dev_cla: 'timestamp',
      ...diagnostic,
      val_tpl: value('last_backup'),
    },
    written: {
      p: 'sensor',
      name: 'Written to disk',
      dev_cla: 'data_size',
      stat_cla: 'total_increasing',
      unit_of_meas: 'GB',
      ...diagnostic,
      val_tpl: value('written_gb'),
    },
    // Of no class: Home Assistant has none for wear.
    storage_wear: {
      p: 'sensor',
      name: 'Disk wear',
      stat_cla: 'measurement',
      unit_of_meas: '%',
      ...diagnostic,
      val_tpl: value('storage_wear_percent'),
    },
    // Without a command: superusers install it on the page.
    update: settings.isPackage
      ? {
          p: 'update',
          name: 'Update',
          ...diagnostic,
          val_tpl:
            '{{ dict(installed_version=value_json.version, latest_version=value_json.latest_version or value_json.version) | tojson }}',
        }
      : { p: 'update' },
  };
  if (settings.publishesMachine) return { ...entities, close_all: closeAll };
  const removed = Object.entries(entities).map(([key, { p }]) => [key, { p }]);
  return { ...Object.fromEntries(removed), close_all: closeAll };
}
