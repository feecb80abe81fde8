import type { Static } from 'typebox';
import { Bool, Enum, Group, Int, Num, Optional, Text } from './schema-builders.ts';

/** The name of a port on its controller: `flow0`, `relay1`. */
const PortName = (description: string) =>
  Text({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$', description });

/** One entry of `meters`. */
export const Meter = Group(
  {
    port: PortName('Name of the meter on this controller; with the controller it makes `pi.flow0`.'),
    pin: Int({
      minimum: 0,
      maximum: 63,
      description: 'GPIO line (BCM number on a Raspberry Pi), not the header pin.',
    }),
    model: Optional(
      Text({
        maxLength: 64,
        description: 'Model from `hardware/meters/`; gives the calibration when `ticks_per_ml` is absent.',
      }),
    ),
    ticks_per_ml: Optional(
      Num({
        exclusiveMinimum: 0,
        maximum: 1000,
        unit: 'ticks/mL',
        description: 'Calibration a new meter starts with; the page owns it afterwards.',
      }),
    ),
    min_gap_ms: Optional(
      Num({
        minimum: 0,
        maximum: 100,
        unit: 'ms',
        description:
          'Edges closer than this to the last counted one are bounce. By default 40 % of the shortest gap of the model (0.2 for an SF800), and 1.2, which is 833 Hz, without a model.',
      }),
    ),
    bias: Enum(['pull-up', 'pull-down', 'none'], {
      default: 'pull-up',
      description: 'Pull resistor of the pin; an open-collector meter needs `pull-up`.',
    }),
    edge: Enum(['falling', 'rising'], { default: 'falling', description: 'Which edge is a tick.' }),
  },
  { description: 'A flow meter on a GPIO line.' },
);

/** A flow meter; its bounce limit is filled in from its model. */
export type MeterConfig = Static<typeof Meter> & { min_gap_ms: number };

/** One entry of `toggles`. */
export const Toggle = Group(
  {
    port: PortName('Name of the relay on this controller; with the controller it makes `pi.relay0`.'),
    pin: Int({
      minimum: 0,
      maximum: 63,
      description: 'GPIO line (BCM number) that drives the relay.',
    }),
    active_low: Bool({
      default: false,
      description: 'True for relay boards that switch on at low level.',
    }),
  },
  { description: 'A relay that opens a tap’s valve; off at start, at exit and on failure.' },
);

export type ToggleConfig = Static<typeof Toggle>;

/** One entry of `taps`. */
export const Tap = Group(
  {
    name: Text({ minLength: 1, maxLength: 128, description: 'Name of the tap in the bar.' }),
    meter: Optional(PortName('Port of its meter.')),
    toggle: Optional(PortName('Port of its relay.')),
    thermo: Optional(
      Text({
        minLength: 1,
        maxLength: 256,
        description: 'Name of its thermo sensor, e.g. `28-00000a1b2c3d`.',
      }),
    ),
    idle_ms: Optional(
      Int({
        minimum: 200,
        maximum: 120_000,
        unit: 'ms',
        description: 'Silence that ends a pour on this tap, in place of `pour.idle_ms`.',
      }),
    ),
  },
  { description: 'A tap of the bar.' },
);

/** One entry of `readers`. */
export const Reader = Group(
  {
    type: Enum(['onewire', 'serial', 'usb-keyboard'], {
      description:
        '`onewire`: iButtons on the 1-Wire bus. `serial`: a card reader that sends lines, or frames as an ID-12 or RDM6300 does. Ten decimal digits are a number of 32 bits; it has the same token as four bytes in hexadecimal. `usb-keyboard`: a card reader that types like a keyboard.',
    }),
    port: Optional(
      Text({
        minLength: 1,
        maxLength: 4096,
        description:
          'Where it is: `/dev/serial/by-id/…`, `/dev/input/by-id/…-event-kbd`, or one 1-Wire bus such as `w1_bus_master1` (all when absent).',
      }),
    ),
    baud: Int({
      minimum: 1_200,
      maximum: 115_200,
      default: 9_600,
      unit: 'baud',
      description: 'Speed of a serial reader.',
    }),
    tap: Optional(
      Text({
        minLength: 1,
        maxLength: 128,
        description:
          'Name of the tap it opens, as under `taps` or on the page. Without one it opens every tap whose meter or relay is connected to this Pi.',
      }),
    ),
    captive: Optional(
      Bool({
        description:
          'The token stays in the reader, and removing it shuts the tap. Default: true for `onewire`, false for others; a `serial` reader must then report a held card repeatedly.',
      }),
    ),
  },
  { description: 'A reader for tokens on this Pi.' },
);
