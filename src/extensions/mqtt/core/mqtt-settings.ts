import {
  type ChoiceSetting,
  choice,
  type FlagSetting,
  flag,
  type LineSetting,
  line,
  lineFault,
  listSettings,
  plainSettingFault,
  type SettingBase,
  type SettingFault,
  type SettingValues,
  settingDefaults,
  type WholeSetting,
  whole,
} from '../../../core/settings/setting-declarations.ts';

/** Certificates or a key, PEM: several lines on the page, the path of a file in the configuration file. */
interface PemSetting extends SettingBase<string> {
  readonly kind: 'pem';
  /** Name of the setting with the path in the configuration file. */
  readonly fileName: string;
  readonly secret?: true;
}

export type MqttSetting = LineSetting | PemSetting | ChoiceSetting<string> | WholeSetting | FlagSetting;

const pem = (setting: Omit<PemSetting, 'kind' | 'default'>): PemSetting => ({
  kind: 'pem',
  default: '',
  ...setting,
});

/** Most characters of certificates or a key. */
export const maxPemLength = 32_768;

/** Every MQTT setting, of the page and of the configuration file; declared only here. */
export const mqttSettings = {
  isEnabled: flag(
    'enabled',
    false,
    'Connect to the MQTT broker. While it is false, nothing is loaded or stored for it.',
  ),
  host: line({
    name: 'host',
    maxLength: 253,
    pattern: '^[A-Za-z0-9._:-]*$',
    allowed: 'must be the name or address of an MQTT broker',
    description: 'Name or address of the MQTT broker.',
  }),
  port: whole({
    name: 'port',
    min: 0,
    max: 65_535,
    default: 0,
    description: 'TCP port of the broker; 0 is the usual one: 1883, with TLS 8883.',
  }),
  usesTls: flag(
    'tls',
    false,
    'Encrypt the connection and check the broker’s certificate. Without it whoever can read the network traffic sees the password.',
  ),
  ca: pem({
    name: 'ca',
    fileName: 'ca_file',
    description:
      'Certificates of the authorities that the broker’s certificate may come from, PEM; empty: those that the system trusts.',
  }),
  certificate: pem({
    name: 'certificate',
    fileName: 'certificate_file',
    description: 'Client certificate for the broker, PEM; empty: none.',
  }),
  key: pem({
    name: 'key',
    fileName: 'key_file',
    secret: true,
    description: 'Private key of the client certificate, PEM, without a passphrase. It is never shown.',
  }),
  username: line({
    name: 'username',
    maxLength: 256,
    description: 'User at the broker; empty: none.',
  }),
  password: line({
    name: 'password',
    maxLength: 1_024,
    secret: true,
    description: 'Password of that user. It is never shown.',
  }),
  protocol: choice({
    name: 'protocol',
    of: ['auto', '5', '3.1.1'],
    default: 'auto',
    description: 'Version of MQTT; `auto` takes 5, and 3.1.1 where the broker does not know 5.',
  }),
  topicPrefix: line({
    name: 'topic_prefix',
    default: 'tapster',
    maxLength: 64,
    pattern: '^[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*$',
    allowed: 'must be letters, digits, _ and -, in parts separated by /',
    description: 'Start of every topic; the site’s id follows.',
  }),
  siteId: line({
    name: 'topic_site',
    maxLength: 32,
    pattern: '^[A-Za-z0-9_-]*$',
    allowed: 'must be letters, digits, _ and -',
    description:
      'The site’s id in topics, unique at the broker; empty: one that was drawn when the database was created.',
  }),
  publishesState: flag(
    'publish_state',
    true,
    'Publish the state of taps, kegs and temperatures, retained, and again after each change.',
  ),
  publishesEvents: flag(
    'publish_events',
    true,
    'Publish each pour, correction, keg and session event and alarm once. They are kept while the broker is away.',
  ),
  publishesLive: flag('publish_live', true, 'Publish running pours, at most twice a second and tap.'),
  publishesMachine: flag(
    'publish_machine',
    true,
    'Publish the state of the machine, retained: problems, held pours, lost ticks, backup.',
  ),
  publishesNames: flag('publish_names', false, 'Publish who drank: the usernames of pours.'),
  announcesDevices: flag(
    'discovery',
    false,
    'Announce machine and taps to Home Assistant (2024.11 or newer), which then shows them by itself.',
  ),
  discoveryPrefix: line({
    name: 'discovery_prefix',
    default: 'homeassistant',
    maxLength: 64,
    pattern: '^[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*$',
    allowed: 'must be letters, digits, _ and -, in parts separated by /',
    description: 'Start of Home Assistant’s topics, as it is set there.',
  }),
  allowsValves: flag(
    'allow_valves',
    false,
    'Let whoever may publish to its topic open and close a tap’s valve. It closes after `valve_ml` or `valve_s`, whichever comes first.',
  ),
  valveMl: whole({
    name: 'valve_ml',
    min: 10,
    max: 10_000,
    unit: 'mL',
    default: 500,
    description: 'The most, and the default, that one command opens a valve for.',
  }),
  valveSeconds: whole({
    name: 'valve_s',
    min: 1,
    max: 600,
    unit: 's',
    default: 30,
    description: 'The longest time, and the default, that one command opens a valve for.',
  }),
  allowsKegEmpty: flag(
    'allow_keg_empty',
    false,
    'Let whoever may publish to its topic mark the keg on a tap as empty.',
  ),
  allowsNextBeer: flag(
    'allow_next_beer',
    false,
    'Let whoever may publish to its topic end the keg on a tap and put the announced next keg on it.',
  ),
} as const;

export type MqttSettingName = keyof typeof mqttSettings;

/** A value for every setting. */
export type MqttSettings = SettingValues<typeof mqttSettings>;

/** The declarations in order, with their internal names. */
export const mqttSettingList: readonly (readonly [MqttSettingName, MqttSetting])[] =
  listSettings(mqttSettings);

export const mqttDefaults = settingDefaults(mqttSettings);

/** Why a value does not fit a setting; null when it fits. */
export function mqttSettingFault(setting: MqttSetting, value: unknown): SettingFault | null {
  switch (setting.kind) {
    case 'pem':
      return typeof value === 'string' && isPem(value) ? null : { fault: 'must be a PEM text, or empty' };
    case 'text':
      return lineFault(setting, value);
    default:
      return plainSettingFault(setting, value);
  }
}

const isPem = (text: string): boolean =>
  text === '' ||
  (text.length <= maxPemLength &&
    /^\s*-----BEGIN [A-Z0-9 ]+-----[\s\S]*-----END [A-Z0-9 ]+-----\s*$/.test(text));
