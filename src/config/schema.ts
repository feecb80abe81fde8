import Type, { type Static } from 'typebox';

/** The name a port has on its controller: `flow0`, `relay1`. */
const PortName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$', description });

/** A closed object: an unknown key is a typing error somebody should hear of. */
const Closed = <P extends Type.TProperties>(
  properties: P,
  options: { description?: string; default?: unknown } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

const Meter = Closed(
  {
    port: PortName('Name of the meter on this controller; with the controller it makes `pi.flow0`.'),
    pin: Type.Integer({
      minimum: 0,
      maximum: 63,
      description: 'GPIO line (BCM number on a Raspberry Pi), not the header pin.',
    }),
    model: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Model from `hardware/meters/`; gives the calibration when `ticks_per_ml` is absent.',
      }),
    ),
    ticks_per_ml: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1000,
        unit: 'ticks/mL',
        description: 'Calibration a new meter starts with; the page owns it afterwards.',
      }),
    ),
    min_gap_ms: Type.Number({
      minimum: 0,
      maximum: 100,
      default: 1.2,
      unit: 'ms',
      description:
        'Edges closer than this to the last counted one are bounce. 1.2 ms caps at 833 Hz, above any beer meter.',
    }),
    bias: Type.Enum(['pull-up', 'pull-down', 'none'], {
      default: 'pull-up',
      description: 'Pull resistor of the pin; an open-collector meter needs `pull-up`.',
    }),
    edge: Type.Enum(['falling', 'rising'], { default: 'falling', description: 'Which edge is a tick.' }),
  },
  { description: 'A flow meter on a GPIO line.' },
);

const Toggle = Closed(
  {
    port: PortName('Name of the relay on this controller; with the controller it makes `pi.relay0`.'),
    pin: Type.Integer({
      minimum: 0,
      maximum: 63,
      description: 'GPIO line (BCM number) that drives the relay.',
    }),
    active_low: Type.Boolean({
      default: false,
      description: 'True for relay boards that switch on at low level.',
    }),
  },
  { description: 'A relay that opens a tap’s valve; off at start, at exit and on failure.' },
);

const Tap = Closed(
  {
    name: Type.String({ minLength: 1, maxLength: 128, description: 'What the bar calls it.' }),
    meter: Type.Optional(PortName('Port of its meter.')),
    toggle: Type.Optional(PortName('Port of its relay.')),
    thermo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Name of its thermometer, e.g. `28-00000a1b2c3d`.',
      }),
    ),
    idle_ms: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 120_000,
        unit: 'ms',
        description: 'Silence that ends a pour on this tap, in place of `pour.idle_ms`.',
      }),
    ),
  },
  { description: 'A place where beer comes out.' },
);

/** Every setting of the configuration file: its one declaration, with default, unit and reason. */
export const ConfigSchema = Closed(
  {
    database: Type.String({
      minLength: 1,
      maxLength: 4096,
      default: '/var/lib/tapster/tapster.db',
      description:
        'The SQLite file; pour journal, pictures and backups lie beside it. `$TAPSTER_DATABASE` overrides.',
    }),
    controller: Closed(
      {
        name: Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: '^[A-Za-z0-9_-]+$',
          default: 'pi',
          description: 'Name of this Pi in meter names such as `pi.flow0`.',
        }),
      },
      { default: {} },
    ),
    http: Closed(
      {
        host: Type.String({
          minLength: 1,
          maxLength: 253,
          default: '0.0.0.0',
          description: 'Address to listen on. `$TAPSTER_HOST` overrides.',
        }),
        port: Type.Integer({
          minimum: 0,
          maximum: 65_535,
          default: 8080,
          description: 'Port of page and API; 0 takes any free one. `$TAPSTER_PORT` overrides.',
        }),
        trust_proxy: Type.Boolean({
          default: false,
          description: 'Believe `X-Forwarded-For` of one proxy in front.',
        }),
        rate_limits: Type.Boolean({
          default: true,
          description: 'Limits per address. `$TAPSTER_RATE_LIMITS=off` overrides, for tests.',
        }),
      },
      { default: {} },
    ),
    gpio: Closed(
      {
        driver: Type.Enum(['auto', 'cdev', 'onoff', 'pigpio', 'simulated'], {
          default: 'auto',
          description:
            '`auto` takes the first that works and says which and why; it never chooses `simulated`.',
        }),
        chip: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 128,
            description:
              'Label of the GPIO chip (`pinctrl-rp1`) where the known ones are not right; a path such as `/dev/gpiochip0` works too.',
          }),
        ),
      },
      { default: {} },
    ),
    meters: Type.Array(Meter, { maxItems: 64, default: [], description: 'Flow meters on this Pi’s pins.' }),
    toggles: Type.Array(Toggle, { maxItems: 64, default: [], description: 'Relays on this Pi’s pins.' }),
    taps: Type.Array(Tap, {
      maxItems: 64,
      default: [],
      description: 'Taps to create; the page owns them afterwards.',
    }),
    pour: Closed(
      {
        idle_ms: Type.Integer({
          minimum: 200,
          maximum: 120_000,
          default: 5_000,
          unit: 'ms',
          description:
            'Silence that ends a pour. Shorter splits a top-up in two, longer joins two quick drinks.',
        }),
        min_ticks: Type.Integer({
          minimum: 1,
          maximum: 10_000,
          default: 3,
          unit: 'ticks',
          description: 'Fewer are a drip: counted in the meter’s lifetime total, no drink.',
        }),
        max_ms: Type.Integer({
          minimum: 1_000,
          maximum: 3_600_000,
          default: 300_000,
          unit: 'ms',
          description: 'The longest pour; a longer one is closed and held for review.',
        }),
      },
      { default: {} },
    ),
    judgement: Closed(
      {
        max_flow_ml_per_s: Type.Number({
          exclusiveMinimum: 0,
          maximum: 10_000,
          default: 200,
          unit: 'mL/s',
          description: 'A faster mean is not beer: the pour is held. Beer runs at about 60.',
        }),
        noise_share: Type.Number({
          exclusiveMinimum: 0,
          maximum: 1,
          default: 0.2,
          description: 'Share of edges refused as bounce above which a pour is held as electrical noise.',
        }),
        simultaneous_ms: Type.Number({
          minimum: 0,
          maximum: 1_000,
          default: 20,
          unit: 'ms',
          description:
            'Pours on several taps that start and stop within this of each other are one burst of noise; 0 switches the check off.',
        }),
        max_reported_ml: Type.Number({
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
    onewire: Closed(
      {
        directory: Type.String({
          minLength: 1,
          maxLength: 4096,
          default: '/sys/bus/w1/devices',
          description: 'Where the kernel lists 1-Wire devices.',
        }),
        interval_s: Type.Integer({
          minimum: 5,
          maximum: 3_600,
          default: 60,
          unit: 's',
          description: 'Time between readings; at most one a minute is kept.',
        }),
      },
      { default: {} },
    ),
    demo: Closed(
      {
        kegs: Type.Boolean({
          default: false,
          description: 'Put sample beers on empty new taps at the first start.',
        }),
        traffic: Type.Boolean({
          default: false,
          description: 'Let simulated guests pour now and then. Simulated driver only.',
        }),
      },
      { default: {} },
    ),
    log: Closed(
      {
        level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
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
