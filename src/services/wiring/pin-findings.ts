import type { Config } from '../../config/schema.ts';
import type { Problem } from '../../core/health/problems.ts';
import { bestDriver } from '../../devices/gpio/drivers/list.ts';
import type { WiredMeter, WiringFinding } from '../../http/wiring-ports.ts';

/** The input of the findings about one GPIO line. */
export interface PinFacts extends Omit<WiredMeter, 'findings' | 'headerPin'> {
  /** Why it does not count or may miss ticks; null without a problem. */
  readonly problem: Problem | null;
  readonly state: 'counting' | 'losing' | 'fault' | 'simulated';
  /** The mains frequency that its pulses match exactly; null when they match none. */
  readonly mainsHz: number | null;
  /** Its wiring in the configuration file; null for a meter of a serial board. */
  readonly configuredMeter: Pick<Config['meters'][number], 'bias' | 'edge'> | null;
  /** Whether its rate, steady for two seconds, is outside of what its model can measure. */
  readonly rangeFault: 'above' | 'below' | null;
}

/** Advice for pulses that no meter makes. */
export const noiseAdvice =
  'Check for a loose wire, a missing pull-up, or a cable beside a motor; a shielded cable and a common ground help.';

const cableAdvice =
  'Check the cable: supply at the meter, common ground, the signal wire on this pin and nothing else.';

/** Returns all findings about one line, or that it counts when nothing is wrong. */
export function pinFindings(facts: PinFacts): readonly WiringFinding[] {
  const { state, problem } = facts;
  if (state === 'fault' && problem !== null)
    return [{ topic: 'line_fault', status: 'fail', text: problem.message, problem }];
  const problems = [
    findNoise(facts),
    findRateOutOfRange(facts),
    ...[findEcho(facts), findLosses(facts), findPolarityFault(facts)],
  ].flatMap((one) => one ?? []);
  return problems.some(({ status }) => status !== 'unknown') ? problems : [...problems, countFinding(facts)];
}

function findNoise({ shape, mainsHz, configuredMeter }: PinFacts): WiringFinding | null {
  // A pin with a pull resistor does not float, and a simulated meter is as regular as the mains.
  if (mainsHz !== null && configuredMeter?.bias === 'none') {
    return {
      topic: 'mains',
      status: 'fail',
      text: `It pulses exactly ${mainsHz} times a second: this is the mains, not beer.`,
      advice: 'The pin is floating: connect the meter, or set meters[].bias to "pull-up".',
    };
  }
  if (shape === 'bounce') {
    return {
      topic: 'bounce',
      status: 'fail',
      text: 'Its pulses come faster than any meter: this is noise.',
      advice: noiseAdvice,
    };
  }
  if (shape !== 'stray') return null;
  return {
    topic: 'stray',
    status: 'warn',
    text: 'Its pulses are irregular, like those of a pin that nothing is connected to.',
    advice: noiseAdvice,
  };
}

/** Advice for a rate that the model of the meter cannot have. */
export const rangeFaultAdvice = {
  above: 'Gas in the line, electrical noise, or another model than the one that is set.',
  below: 'Open the tap fully; if it stays so, use a meter for smaller flows.',
} as const;

function findRateOutOfRange({ shape, hz, rangeFault }: PinFacts): WiringFinding | null {
  // Irregular edges are reported as noise.
  if (rangeFault === null || shape !== 'steady') return null;
  const text =
    rangeFault === 'above'
      ? `It pulses ${hz} times a second, more than its model can measure.`
      : 'It pulses slower than its model can measure.';
  return { topic: `${rangeFault}_model`, status: 'warn', text, advice: rangeFaultAdvice[rangeFault] };
}

function findEcho({ echoOf }: PinFacts): WiringFinding | null {
  if (echoOf === null) return null;
  return {
    topic: 'echo',
    status: 'fail',
    text: `It ticks at the same instants as ${echoOf}: one of them picks up the other.`,
    advice:
      'Separate their cables, check for signal wires that touch, and give each meter a ground wire of its own.',
  };
}

function findLosses({ lost, problem, state }: PinFacts): WiringFinding | null {
  if (state !== 'losing' || problem === null) return null;
  if (lost === null) return { topic: 'unproven', status: 'unknown', text: problem.message };
  return {
    topic: 'lost',
    status: 'warn',
    text: problem.message,
    advice: `Set gpio.driver to "${bestDriver.name}" if it is another one; else find out what keeps the machine busy.`,
  };
}

/** Checks that pull and edge fit each other, and that the line follows its pull. */
function findPolarityFault({ configuredMeter, level, ticks, refused }: PinFacts): WiringFinding | null {
  if (configuredMeter === null) return null;
  const { bias, edge } = configuredMeter;
  const restLevel = bias === 'pull-up' ? 1 : bias === 'pull-down' ? 0 : null;
  if (restLevel === null || level === null) return null;
  if ((edge === 'falling') !== (restLevel === 1)) {
    const matchingEdge = restLevel === 1 ? 'falling' : 'rising';
    return {
      topic: 'reversed',
      status: 'warn',
      text: `With "${bias}" the line rests ${restLevel === 1 ? 'high' : 'low'}, so a pulse begins with a ${matchingEdge} edge; the file counts the ${edge} one.`,
      advice: `Set meters[].edge to "${matchingEdge}", or the bias to "${edge === 'falling' ? 'pull-up' : 'pull-down'}".`,
    };
  }
  if (level === restLevel || ticks + refused > 0) return null;
  return {
    topic: 'stuck',
    status: 'warn',
    text: `The line is held ${level === 1 ? 'high' : 'low'} against its ${bias}, and has not moved since the start.`,
    advice:
      'Pour a little. If it stays so, plug or wires are reversed, or signal and ground touch; a meter may also stop in this position.',
  };
}

function countFinding({ ticks, refused, lost, hz }: PinFacts): WiringFinding {
  if (ticks + refused === 0) {
    return {
      topic: 'never',
      status: 'unknown',
      text: 'No pulse has come since the start.',
      advice: `Pour a little. If nothing comes: ${cableAdvice.charAt(0).toLowerCase()}${cableAdvice.slice(1)}`,
    };
  }
  const now = hz === null || hz === 0 ? '' : `, ${hz} a second now`;
  const missedNone = lost === 0 ? ' and missed none' : '';
  return {
    topic: 'counts',
    status: 'ok',
    text: `It counted ${ticks} ticks since the start${missedNone}${now}.`,
  };
}
