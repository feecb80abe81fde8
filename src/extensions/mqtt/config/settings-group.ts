import { Bool, Enum, Int, Optional, Text } from '../../../config/schema-builders.ts';
import { defineSettings, type SettingsOf } from '../../../config/settings-group.ts';
import { type MqttSetting, mqttSettings } from '../core/mqtt-settings.ts';

type SettingOf<K extends MqttSetting['kind']> = Extract<MqttSetting, { kind: K }>;

/** A setting that the page may set too: absent in the file, the page's value counts, then the default. */
const flag = ({ default: usual, description }: SettingOf<'flag'>) =>
  Optional(Bool({ pageDefault: usual, description }));

const text = ({ default: usual, description, maxLength, pattern, secret }: SettingOf<'text'>) =>
  Optional(
    Text({
      minLength: 0,
      maxLength,
      pageDefault: usual,
      description,
      ...(pattern === undefined ? {} : { pattern }),
      ...(secret === undefined ? {} : { secret }),
    }),
  );

const whole = ({ default: usual, description, min: minimum, max: maximum, unit }: SettingOf<'whole'>) =>
  Optional(
    Int({ minimum, maximum, pageDefault: usual, description, ...(unit === undefined ? {} : { unit }) }),
  );

const file = (description: string) =>
  Optional(Text({ minLength: 0, maxLength: 4_096, pageDefault: '', description }));

const { protocol } = mqttSettings;

/**
 * The MQTT settings. None is filled in: what the file names wins over the page, which shows it as fixed; the page sets
 * the others.
 */
export const mqttGroup = defineSettings({
  name: 'mqtt',
  properties: {
    enabled: flag(mqttSettings.isEnabled),
    host: text(mqttSettings.host),
    port: whole(mqttSettings.port),
    tls: flag(mqttSettings.usesTls),
    ca_file: file(
      'File with the certificates of the authorities that the broker’s certificate may come from, PEM; empty: those that the system trusts.',
    ),
    certificate_file: file('File with the client certificate for the broker, PEM; empty: none.'),
    key_file: file('File with the private key of the client certificate, PEM, without a passphrase.'),
    username: text(mqttSettings.username),
    password: text(mqttSettings.password),
    protocol: Optional(
      Enum(['auto', '5', '3.1.1'], { pageDefault: protocol.default, description: protocol.description }),
    ),
    topic_prefix: text(mqttSettings.topicPrefix),
    topic_site: text(mqttSettings.siteId),
    publish_state: flag(mqttSettings.publishesState),
    publish_events: flag(mqttSettings.publishesEvents),
    publish_live: flag(mqttSettings.publishesLive),
    publish_machine: flag(mqttSettings.publishesMachine),
    publish_names: flag(mqttSettings.publishesNames),
    discovery: flag(mqttSettings.announcesDevices),
    discovery_prefix: text(mqttSettings.discoveryPrefix),
    allow_valves: flag(mqttSettings.allowsValves),
    valve_ml: whole(mqttSettings.valveMl),
    valve_s: whole(mqttSettings.valveSeconds),
    allow_keg_empty: flag(mqttSettings.allowsKegEmpty),
    allow_next_beer: flag(mqttSettings.allowsNextBeer),
  },
});

/** The settings that the file names. */
export type MqttFileSettings = SettingsOf<typeof mqttGroup>;
