import Type from 'typebox';
import { highestPin } from '../../../core/taps/pin-entries.ts';
import { Closed, errorWords, Maybe, Nullable, named } from '../../routes/schemas.ts';

export const PortName = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'Name on this machine, such as `flow0`; meters and relays have different names.',
  ...errorWords('must be letters, digits, _ and -, at most 128', { name: 'port_characters' }),
});

export const Pin = Type.Integer({
  minimum: 0,
  maximum: highestPin,
  description: 'GPIO line from 0 to 63: the BCM number on a Raspberry Pi, not the pin of the header.',
});
export const Model = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a model of `models`.' });
export const TicksPerMl = Type.Number({
  minimum: 0.001,
  maximum: 1_000,
  'x-unit': 'ticks/mL',
  description: 'Calibration that the meter starts with, 0.001 to 1000; null takes that of the model.',
});
export const MinGapMs = Type.Number({
  minimum: 0,
  maximum: 100,
  'x-unit': 'ms',
  description:
    'Edges closer than this to the last counted one are bounce, 0 to 100; null takes what follows from the model.',
});
export const Bias = Type.Enum(['pull-up', 'pull-down', 'none'], {
  description: 'Pull resistor of the pin; an open-collector meter needs `pull-up`.',
});
export const Edge = Type.Enum(['falling', 'rising'], { description: 'Which edge is a tick.' });
export const ActiveLow = Type.Boolean({ description: 'True for relay boards that switch on at low level.' });

export const NewPinMeterJson = named(
  'NewPinMeter',
  Closed(
    {
      port: Maybe({ ...PortName, description: 'Its name; the next free of `flow0`, `flow1` … by default.' }),
      pin: Pin,
      model: Maybe(Nullable(Model)),
      ticks_per_ml: Maybe(Nullable(TicksPerMl)),
      min_gap_ms: Maybe(Nullable(MinGapMs)),
      bias: Maybe({
        ...Bias,
        description: 'Pull resistor of the pin; `pull-up` by default, which an open-collector meter needs.',
      }),
      edge: Maybe({ ...Edge, description: 'Which edge is a tick; `falling` by default.' }),
    },
    { description: 'A flow meter to count on a pin of this machine.' },
  ),
);
export const PinMeterChangeJson = named(
  'PinMeterChange',
  Closed(
    {
      pin: Maybe(Pin),
      model: Maybe(Nullable(Model)),
      ticks_per_ml: Maybe(Nullable(TicksPerMl)),
      min_gap_ms: Maybe(Nullable(MinGapMs)),
      bias: Maybe(Bias),
      edge: Maybe(Edge),
    },
    { description: 'Changes of a flow meter on a pin.' },
  ),
);
export const NewPinRelayJson = named(
  'NewPinRelay',
  Closed(
    {
      port: Maybe({
        ...PortName,
        description: 'Its name; the next free of `relay0`, `relay1` … by default.',
      }),
      pin: Pin,
      active_low: Maybe({
        ...ActiveLow,
        description: 'True for relay boards that switch on at low level; false by default.',
      }),
    },
    { description: 'A relay to switch on a pin of this machine.' },
  ),
);
export const PinRelayChangeJson = named(
  'PinRelayChange',
  Closed({ pin: Maybe(Pin), active_low: Maybe(ActiveLow) }, { description: 'Changes of a relay on a pin.' }),
);
export const RelayDecisionJson = named(
  'RelayDecision',
  Closed(
    {
      decision: Type.Enum(['use_here', 'remove'], {
        description:
          '`use_here`: they are wired to the same pins of this machine and are driven from now on. `remove`: they are deleted, ' +
          'and their taps have no valve.',
      }),
    },
    { description: 'What becomes of the relays that were wired to another machine.' },
  ),
);
