/** Facts that a translated sentence about a wire is made of. */
export interface WireFacts {
  readonly hz?: number | null;
  readonly ticks?: number;
  readonly lost?: number | null;
  readonly level?: 0 | 1 | null;
  readonly pin?: number | null;
  readonly echo_of?: string | null;
  readonly temp_c?: number | null;
}

/** A finding in the daemon's English words. */
export interface WireFinding {
  readonly topic: string;
  readonly text: string;
  readonly advice?: string;
}

/** English texts of the wiring page. The findings come from the daemon in English. */
export const wiringEnglish = {
  title: 'Wiring',
  intro: 'Every wire of this machine as it is at this moment.',
  formatFinding: (
    { topic, text, advice }: WireFinding,
    _facts: WireFacts,
  ): { readonly text: string; readonly advice?: string } => {
    // The figure is shown beside it, in the site's scale.
    if (topic === 'temperature') return { text: 'It reads well.' };
    return advice === undefined ? { text } : { text, advice };
  },
  verdicts: {
    ok: 'Well',
    warn: 'Worth a look',
    fail: 'Does not work',
    unknown: 'Cannot be told yet',
  } as Readonly<Record<string, string>>,

  which: 'Which meter is it?',
  startPourTest: 'Pour a little now',
  stopPourTest: 'That will do',
  listening: 'Listening. Open a tap and pour a sip.',
  ticksHere: (tap: string, meter: string) => `${tap} ticks (${meter}).`,
  noTapHere: (meter: string) => `${meter} ticks, and no tap has it.`,
  alsoTicks: (tap: string, meter: string) => `${tap} ticks as well (${meter}).`,
  hasNoise: (where: string) => `${where} catches noise, not beer.`,
  assignToTap: 'Give it to a tap',
  noTicks: 'Nothing has ticked yet.',
  noTicksAdvice:
    'If beer runs, no pulse reaches this machine: look at the meter’s supply, the common ground, and that its signal wire is on the pin shown below.',

  meters: 'Meters',
  noTap: 'No tap has this meter',
  gpio: (pin: number) => `GPIO ${pin}`,
  headerPin: (pin: number) => `header pin ${pin}`,
  onBoard: 'on its own board',
  levels: { 0: 'low', 1: 'high' } as Readonly<Record<number, string>>,
  level: 'Level',
  noLevel: 'not readable',
  rate: 'Pulses a second',
  counted: 'Counted',
  refused: 'Refused as bounce',
  lost: 'Missed',
  unknown: 'cannot be told',
  sinceStart: 'Counted, refused and missed since the daemon started.',
  calibrate: (tap: string) => `Calibrate ${tap}`,
  testPour: 'Pour a sip',
  testPourAt: (meter: string) => `Pour a sip at ${meter}`,
  rateOver: (meter: string) => `Pulses of ${meter} over the last half minute`,

  thermoSensors: 'Thermometers',
  noThermoSensors: 'No thermometer is on the bus.',
  boards: 'Serial boards',
  readers: 'Readers',
  shown: (times: number) =>
    times === 0
      ? 'Nothing was shown to it yet.'
      : times === 1
        ? 'One token was shown to it.'
        : `${times} tokens were shown to it.`,
  relays: 'Relays',
};

export type WiringWords = typeof wiringEnglish;
