import type { Config } from '../../config/schema.ts';
import type { WiredMeter, WiringFinding } from '../../http/wiring-ports.ts';

/** What the findings about one line are drawn from. */
export interface PinFacts extends Omit<WiredMeter, 'findings' | 'headerPin'> {
  /** Why it does not count, or may miss something; null when all is well. */
  readonly problem: string | null;
  readonly state: 'counting' | 'losing' | 'fault' | 'simulated';
  /** The mains frequency it keeps exactly; null when it keeps none. */
  readonly mainsHz: number | null;
  /** How the file wires it; null on a board that counts for itself. */
  readonly wired: Pick<Config['meters'][number], 'bias' | 'edge'> | null;
}

/** What is done about pulses that no wheel makes. */
export const noiseAdvice =
  'Look for a loose wire, a missing pull-up, or a cable beside a motor; a shielded cable and a common ground help.';

const cableAdvice =
  'Look at the cable: supply at the meter, common ground, the signal wire on this pin and nothing else.';

/** Everything that is to be said of one line, gravest first; a line that is well says so. */
export function pinFindings(facts: PinFacts): readonly WiringFinding[] {
  const { state, problem } = facts;
  if (state === 'fault')
    return [{ topic: 'line_fault', verdict: 'fail', text: problem ?? 'It does not count.' }];
  const troubles = [noise(facts), echo(facts), losses(facts), polarity(facts)].flatMap((one) => one ?? []);
  return troubles.some(({ verdict }) => verdict !== 'unknown') ? troubles : [...troubles, count(facts)];
}

function noise({ shape, mainsHz, wired }: PinFacts): WiringFinding | null {
  // A pin with a pull does not float, and a simulated wheel keeps time as well as the mains do.
  if (mainsHz !== null && wired?.bias === 'none') {
    return {
      topic: 'mains',
      verdict: 'fail',
      text: `It pulses exactly ${mainsHz} times a second: this is the mains, not beer.`,
      advice: 'The pin floats: connect the meter, or set meters[].bias to "pull-up".',
    };
  }
  if (shape === 'bounce') {
    return {
      topic: 'bounce',
      verdict: 'fail',
      text: 'Its pulses come faster than any meter: this is noise.',
      advice: noiseAdvice,
    };
  }
  if (shape !== 'stray') return null;
  return {
    topic: 'stray',
    verdict: 'warn',
    text: 'Its pulses come in no rhythm, as a pin catches them that nothing is connected to.',
    advice: noiseAdvice,
  };
}

function echo({ echoOf }: PinFacts): WiringFinding | null {
  if (echoOf === null) return null;
  return {
    topic: 'echo',
    verdict: 'fail',
    text: `It ticks in the same instants as ${echoOf}: one of them hears the other.`,
    advice: 'Part their cables, look for signal wires that touch, and give each meter a ground of its own.',
  };
}

function losses({ lost, problem, state }: PinFacts): WiringFinding | null {
  if (state !== 'losing' || problem === null) return null;
  if (lost === null) return { topic: 'unproven', verdict: 'unknown', text: problem };
  return {
    topic: 'lost',
    verdict: 'warn',
    text: problem,
    advice: 'Set gpio.driver to "cdev" where it is another one; else look what keeps the machine busy.',
  };
}

/** A pull and an edge that do not fit each other, and a line that its pull cannot move. */
function polarity({ wired, level, ticks, refused }: PinFacts): WiringFinding | null {
  if (wired === null) return null;
  const { bias, edge } = wired;
  const rest = bias === 'pull-up' ? 1 : bias === 'pull-down' ? 0 : null;
  if (rest === null || level === null) return null;
  if ((edge === 'falling') !== (rest === 1)) {
    const better = rest === 1 ? 'falling' : 'rising';
    return {
      topic: 'reversed',
      verdict: 'warn',
      text: `With "${bias}" the line rests ${rest === 1 ? 'high' : 'low'}, so a pulse begins with a ${better} edge; the file counts the ${edge} one.`,
      advice: `Set meters[].edge to "${better}", or the bias to "${edge === 'falling' ? 'pull-up' : 'pull-down'}".`,
    };
  }
  if (level === rest || ticks + refused > 0) return null;
  return {
    topic: 'stuck',
    verdict: 'warn',
    text: `The line is held ${level === 1 ? 'high' : 'low'} against its ${bias}, and has not moved since the start.`,
    advice:
      'Pour a little. If it stays so, plug or wires are reversed, or signal and ground touch; a wheel may also rest like that.',
  };
}

function count({ ticks, refused, lost, hz }: PinFacts): WiringFinding {
  if (ticks + refused === 0) {
    return {
      topic: 'never',
      verdict: 'unknown',
      text: 'No pulse has come since the start.',
      advice: `Pour a little. If nothing comes: ${cableAdvice.charAt(0).toLowerCase()}${cableAdvice.slice(1)}`,
    };
  }
  const now = hz === null || hz === 0 ? '' : `, ${hz} a second now`;
  const proof = lost === 0 ? ' and missed none' : '';
  return { topic: 'counts', verdict: 'ok', text: `It counted ${ticks} ticks since the start${proof}${now}.` };
}
