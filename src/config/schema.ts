import type { Static } from 'typebox';
import { updateKeyPattern } from '../core/updates/update-source.ts';
import { driverNames, pinDrivers } from '../devices/gpio/drivers/list.ts';
import { Meter, type MeterConfig, Reader, Tap, Toggle } from './hardware-settings.ts';
import { HttpSchema, HttpsSchema } from './http-schema.ts';
import { Bool, Enum, Group, Int, List, Num, Optional, Switches, Text } from './schema-builders.ts';
import type { SettingsGroup, WithGroups } from './settings-group.ts';

/** Declares every setting of the base in the configuration file, with default, unit and reason. */
export const ConfigSchema = Group(
  {
    database: Text({
      minLength: 1,
      maxLength: 4096,
      default: '/var/lib/tapster/tapster.db',
      description:
        'The SQLite file; pour journal, log, pictures and backups are stored beside it. `$TAPSTER_DATABASE` overrides.',
    }),
    controller: Group(
      {
        name: Text({
          minLength: 1,
          maxLength: 64,
          pattern: '^[A-Za-z0-9_-]+$',
          default: 'pi',
          description: 'Name of this Pi in meter names such as `pi.flow0`.',
        }),
      },
      { default: {} },
    ),
    http: HttpSchema,
    https: HttpsSchema,
    gpio: Group(
      {
        driver: Enum(['auto', ...driverNames, 'simulated'], {
          default: 'auto',
          description: [
            '`auto` takes the first that works and says which and why; it never chooses `simulated`.',
            ...pinDrivers.map(({ name, description }) => `\`${name}\`: ${description}.`),
          ].join(' '),
        }),
        chip: Optional(
          Text({
            minLength: 1,
            maxLength: 128,
            description:
              'Label of the GPIO chip (`pinctrl-rp1`) where the known ones are not right; a path such as `/dev/gpiochip0` works too.',
          }),
        ),
      },
      { default: {} },
    ),
    meters: List(Meter, { maxItems: 64, default: [], description: 'Flow meters on this Pi’s pins.' }),
    toggles: List(Toggle, { maxItems: 64, default: [], description: 'Relays on this Pi’s pins.' }),
    taps: List(Tap, {
      maxItems: 64,
      default: [],
      description: 'Taps to create; the page owns them afterwards.',
    }),
    readers: List(Reader, {
      maxItems: 16,
      default: [],
      description:
        'Readers on this Pi at which a token opens a tap. Serial boards have readers of their own.',
    }),
    pour: Group(
      {
        idle_ms: Int({
          minimum: 200,
          maximum: 120_000,
          default: 5_000,
          unit: 'ms',
          description:
            'Silence that ends a pour. Shorter splits a top-up in two, longer joins two quick drinks.',
        }),
        min_ticks: Int({
          minimum: 1,
          maximum: 10_000,
          default: 3,
          unit: 'ticks',
          description: 'Fewer are a drip: counted in the meter’s lifetime total, no drink.',
        }),
        min_ml: Num({
          minimum: 0,
          maximum: 1_000,
          default: 10,
          unit: 'mL',
          description:
            'Less that a meter of this machine or of a serial board counted is a drip, too: counted for the tap’s day, no drink. For calibrated meters only. 0 leaves it to `min_ticks`. Pours that are reported or entered are drinks whatever their size.',
        }),
        min_ml_per_s: Num({
          minimum: 0,
          maximum: 20,
          default: 2,
          unit: 'mL/s',
          description:
            'What never flows as fast for a second is a drip, too: no tap pours so slowly. For calibrated meters only. 0 leaves it to the other two.',
        }),
        max_ms: Int({
          minimum: 1_000,
          maximum: 3_600_000,
          default: 300_000,
          unit: 'ms',
          description: 'The longest pour; a longer one is closed and held for review.',
        }),
      },
      { default: {} },
    ),
    judgement: Group(
      {
        max_flow_ml_per_s: Num({
          exclusiveMinimum: 0,
          maximum: 10_000,
          default: 200,
          unit: 'mL/s',
          description: 'A pour with a faster mean is not beer and is held. Beer runs at about 60.',
        }),
        noise_share: Num({
          exclusiveMinimum: 0,
          maximum: 1,
          default: 0.2,
          description: 'Share of edges refused as bounce above which a pour is held as electrical noise.',
        }),
        simultaneous_ms: Num({
          minimum: 0,
          maximum: 1_000,
          default: 20,
          unit: 'ms',
          description:
            'Pours on several taps that start and stop within this of each other are one burst of noise. Pulses that fall together with those of another tap are crosstalk. 0 switches both checks off.',
        }),
        max_reported_ml: Num({
          exclusiveMinimum: 0,
          maximum: 10_000_000,
          default: 100_000,
          unit: 'mL',
          description:
            'A pour that another controller reports is held above this: no keg gives more at once.',
        }),
      },
      { default: {} },
    ),
    grants: Group(
      {
        max_volume_ml: Num({
          minimum: 0,
          maximum: 100_000,
          default: 0,
          unit: 'mL',
          description: 'The most that may be poured with one presented token; 0 is no limit.',
        }),
        max_duration_s: Int({
          minimum: 0,
          maximum: 86_400,
          default: 0,
          unit: 's',
          description:
            'How long a tap stays open for a token; 0 leaves it to the board, which has a limit of its own. Relays of this Pi and of serial boards take 300 for 0, and 3600 at most.',
        }),
        max_idle_s: Int({
          minimum: 0,
          maximum: 3_600,
          default: 30,
          unit: 's',
          description: 'A tap closes when nothing was poured for this time; 0 is no limit.',
        }),
      },
      { default: {} },
    ),
    valves: Group(
      {
        flow_while_shut_ml: Num({
          minimum: 1,
          maximum: 10_000,
          default: 20,
          unit: 'mL',
          description:
            'More beer than this in one pour, later than 2 s after the tap’s valve was shut, means that the valve is stuck or bypassed. The default is more than one metre of a 3/16-inch line holds (17.8 mL), which may drain.',
        }),
      },
      { default: {} },
    ),
    webhooks: Group(
      {
        allow_local: Bool({
          default: false,
          description:
            'Allow webhooks to this machine, by any of its own addresses, and to link-local addresses. Other addresses in the bar’s network are always allowed.',
        }),
      },
      { default: {} },
    ),
    onewire: Group(
      {
        directory: Text({
          minLength: 1,
          maxLength: 4096,
          default: '/sys/bus/w1/devices',
          description: 'Where the kernel lists 1-Wire devices.',
        }),
        interval_s: Int({
          minimum: 5,
          maximum: 3_600,
          default: 60,
          unit: 's',
          description: 'Time between readings; at most one a minute is kept.',
        }),
      },
      { default: {} },
    ),
    demo: Group(
      {
        kegs: Bool({
          default: false,
          description: 'Put sample beers on empty new taps at the first start.',
        }),
        traffic: Bool({
          default: false,
          description: 'Let simulated guests pour now and then. Only with the simulated driver.',
        }),
      },
      { default: {} },
    ),
    backups: Group(
      {
        copy_to: Text({
          minLength: 0,
          maxLength: 4096,
          default: '',
          description:
            'A folder for copies of the nightly backups, such as a USB stick’s; the newest seven are kept in it. Empty: none. The service needs permission to write there.',
        }),
        before_upgrade: Bool({
          default: true,
          description:
            'Make a backup before a new version changes the database. Set it to false only to upgrade a card that is too full for one.',
        }),
      },
      { default: {} },
    ),
    updates: Group(
      {
        manifest_url: Text({
          minLength: 0,
          maxLength: 1_000,
          default: '',
          description:
            'Address of the signed list of new versions, `https://`; its signature is read from the same address with `.sig` at the end. Empty: none, and no update check. The updater reads this setting only from a file that only root may write.',
        }),
        public_key: Text({
          minLength: 0,
          maxLength: 60,
          pattern: updateKeyPattern,
          default: '',
          description:
            'Key by which that list must be signed: an Ed25519 public key, the line of a PEM file between its marks.',
        }),
      },
      { default: {} },
    ),
    features: Switches({
      default: {},
      description:
        'Features that are on (`true`) or off (`false`) whatever somebody switches on the page, by name: `{"kiosk": false}`.',
    }),
    log: Group(
      {
        level: Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
          default: 'info',
          description: 'Least severity written to standard output (the journal).',
        }),
      },
      { default: {} },
    ),
  },
  { description: 'Tapster’s configuration file.' },
);

/** The schema of a configuration file with these groups besides the settings of the base. */
export const schemaWith = (groups: readonly SettingsGroup[]) => ({
  ...ConfigSchema,
  required: [...(ConfigSchema.required ?? []), ...groups.map(({ name }) => name)],
  properties: {
    ...ConfigSchema.properties,
    ...Object.fromEntries(groups.map(({ name, schema }) => [name, schema])),
  },
});

type ConfigText = Static<typeof ConfigSchema>;

export type { MeterConfig, ToggleConfig } from './hardware-settings.ts';
export type Config = Omit<ConfigText, 'meters'> & { meters: MeterConfig[] } & WithGroups;
