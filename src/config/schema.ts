import type { Static } from 'typebox';
import { Choice, Figure, Group, List, May, Switch, Text, Whole } from './schema-words.ts';

/** The name a port has on its controller: `flow0`, `relay1`. */
const PortName = (description: string) =>
  Text({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$', description });

const Meter = Group(
  {
    port: PortName('Name of the meter on this controller; with the controller it makes `pi.flow0`.'),
    pin: Whole({
      minimum: 0,
      maximum: 63,
      description: 'GPIO line (BCM number on a Raspberry Pi), not the header pin.',
    }),
    model: May(
      Text({
        maxLength: 64,
        description: 'Model from `hardware/meters/`; gives the calibration when `ticks_per_ml` is absent.',
      }),
    ),
    ticks_per_ml: May(
      Figure({
        exclusiveMinimum: 0,
        maximum: 1000,
        unit: 'ticks/mL',
        description: 'Calibration a new meter starts with; the page owns it afterwards.',
      }),
    ),
    min_gap_ms: Figure({
      minimum: 0,
      maximum: 100,
      default: 1.2,
      unit: 'ms',
      description:
        'Edges closer than this to the last counted one are bounce. 1.2 ms caps at 833 Hz, above any beer meter.',
    }),
    bias: Choice(['pull-up', 'pull-down', 'none'], {
      default: 'pull-up',
      description: 'Pull resistor of the pin; an open-collector meter needs `pull-up`.',
    }),
    edge: Choice(['falling', 'rising'], { default: 'falling', description: 'Which edge is a tick.' }),
  },
  { description: 'A flow meter on a GPIO line.' },
);

const Toggle = Group(
  {
    port: PortName('Name of the relay on this controller; with the controller it makes `pi.relay0`.'),
    pin: Whole({
      minimum: 0,
      maximum: 63,
      description: 'GPIO line (BCM number) that drives the relay.',
    }),
    active_low: Switch({
      default: false,
      description: 'True for relay boards that switch on at low level.',
    }),
  },
  { description: 'A relay that opens a tap’s valve; off at start, at exit and on failure.' },
);

const Tap = Group(
  {
    name: Text({ minLength: 1, maxLength: 128, description: 'What the bar calls it.' }),
    meter: May(PortName('Port of its meter.')),
    toggle: May(PortName('Port of its relay.')),
    thermo: May(
      Text({
        minLength: 1,
        maxLength: 256,
        description: 'Name of its thermometer, e.g. `28-00000a1b2c3d`.',
      }),
    ),
    idle_ms: May(
      Whole({
        minimum: 200,
        maximum: 120_000,
        unit: 'ms',
        description: 'Silence that ends a pour on this tap, in place of `pour.idle_ms`.',
      }),
    ),
  },
  { description: 'A place where beer comes out.' },
);

const SerialBoard = Group(
  {
    path: Text({
      minLength: 1,
      maxLength: 4096,
      description:
        'Its port, best by a name that stays: `/dev/serial/by-id/usb-…`. A path such as `/dev/ttyACM0` may change when it is plugged in again.',
    }),
    name: May(
      Text({
        minLength: 1,
        maxLength: 64,
        pattern: '^[A-Za-z0-9_-]+$',
        description:
          'Name of the board in meter names, in place of `kegboard-` and the last eight characters of its serial number.',
      }),
    ),
  },
  { description: 'A Kegboard on a serial port.' },
);

/** Every setting of the configuration file: its one declaration, with default, unit and reason. */
export const ConfigSchema = Group(
  {
    database: Text({
      minLength: 1,
      maxLength: 4096,
      default: '/var/lib/tapster/tapster.db',
      description:
        'The SQLite file; pour journal, pictures and backups lie beside it. `$TAPSTER_DATABASE` overrides.',
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
    http: Group(
      {
        host: Text({
          minLength: 1,
          maxLength: 253,
          default: '0.0.0.0',
          description: 'Address to listen on. `$TAPSTER_HOST` overrides.',
        }),
        port: Whole({
          minimum: 0,
          maximum: 65_535,
          default: 8080,
          description: 'Port of page and API; 0 takes any free one. `$TAPSTER_PORT` overrides.',
        }),
        trust_proxy: Switch({
          default: false,
          description: 'Believe `X-Forwarded-For` of one proxy in front.',
        }),
        rate_limits: Switch({
          default: true,
          description: 'Limits per address. `$TAPSTER_RATE_LIMITS=off` overrides, for tests.',
        }),
      },
      { default: {} },
    ),
    gpio: Group(
      {
        driver: Choice(['auto', 'cdev', 'onoff', 'pigpio', 'simulated'], {
          default: 'auto',
          description:
            '`auto` takes the first that works and says which and why; it never chooses `simulated`.',
        }),
        chip: May(
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
    pour: Group(
      {
        idle_ms: Whole({
          minimum: 200,
          maximum: 120_000,
          default: 5_000,
          unit: 'ms',
          description:
            'Silence that ends a pour. Shorter splits a top-up in two, longer joins two quick drinks.',
        }),
        min_ticks: Whole({
          minimum: 1,
          maximum: 10_000,
          default: 3,
          unit: 'ticks',
          description: 'Fewer are a drip: counted in the meter’s lifetime total, no drink.',
        }),
        max_ms: Whole({
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
        max_flow_ml_per_s: Figure({
          exclusiveMinimum: 0,
          maximum: 10_000,
          default: 200,
          unit: 'mL/s',
          description: 'A faster mean is not beer: the pour is held. Beer runs at about 60.',
        }),
        noise_share: Figure({
          exclusiveMinimum: 0,
          maximum: 1,
          default: 0.2,
          description: 'Share of edges refused as bounce above which a pour is held as electrical noise.',
        }),
        simultaneous_ms: Figure({
          minimum: 0,
          maximum: 1_000,
          default: 20,
          unit: 'ms',
          description:
            'Pours on several taps that start and stop within this of each other are one burst of noise; 0 switches the check off.',
        }),
        max_reported_ml: Figure({
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
        max_volume_ml: Figure({
          minimum: 0,
          maximum: 100_000,
          default: 0,
          unit: 'mL',
          description: 'The most that may be drawn on one presented token; 0 is no limit.',
        }),
        max_duration_s: Whole({
          minimum: 0,
          maximum: 86_400,
          default: 0,
          unit: 's',
          description:
            'How long a tap stays open for a token; 0 leaves it to the board, which has a limit of its own.',
        }),
        max_idle_s: Whole({
          minimum: 0,
          maximum: 3_600,
          default: 30,
          unit: 's',
          description: 'A tap closes when nothing was drawn for so long; 0 is no limit.',
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
        interval_s: Whole({
          minimum: 5,
          maximum: 3_600,
          default: 60,
          unit: 's',
          description: 'Time between readings; at most one a minute is kept.',
        }),
      },
      { default: {} },
    ),
    serial: Group(
      {
        boards: List(SerialBoard, {
          maxItems: 16,
          default: [],
          description: 'Kegboards on serial ports; their meters make `kegboard-deadbeef.flow0`.',
        }),
        auto: Switch({
          default: false,
          description:
            'Try every serial port that is plugged in. Leave it off beside other serial devices: a port that is opened may reset what is on it.',
        }),
        directory: Text({
          minLength: 1,
          maxLength: 4096,
          default: '/dev/serial/by-id',
          description: 'Where the system lists the serial ports that are plugged in.',
        }),
      },
      { default: {} },
    ),
    demo: Group(
      {
        kegs: Switch({
          default: false,
          description: 'Put sample beers on empty new taps at the first start.',
        }),
        traffic: Switch({
          default: false,
          description: 'Let simulated guests pour now and then. Simulated driver only.',
        }),
      },
      { default: {} },
    ),
    log: Group(
      {
        level: Choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
          default: 'info',
          description: 'Least severity written to standard output (the journal).',
        }),
      },
      { default: {} },
    ),
  },
  { description: 'Tapster’s configuration file.' },
);

export type Config = Static<typeof ConfigSchema>;
export type MeterConfig = Config['meters'][number];
export type ToggleConfig = Config['toggles'][number];
