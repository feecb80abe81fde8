/** How long a PIN is, digits. */
export const pinLength = { least: 4, most: 8 } as const;

/** Wrong PINs in a row after which only a password helps: one in a thousand of the shortest ones is guessed by then. */
export const maxWrongPins = 10;

/** Wrong PINs that a tablet, or an account, bears before it has to pause. */
const freeAttempts = 5;

/** The pause after those, milliseconds; it doubles with each further wrong one. */
const firstPauseMs = 30_000;
const maxPauseMs = 900_000;

/** How long nothing is tried after so many wrong PINs, milliseconds. */
export function toPauseMs(wrong: number): number {
  const excess = wrong - freeAttempts;
  return excess < 0 ? 0 : Math.min(firstPauseMs * 2 ** Math.min(excess, 20), maxPauseMs);
}

/** Why a PIN is not taken. */
export type PinFault = 'not digits' | 'all the same' | 'in a row' | 'repeated' | 'a year' | 'well known';

/** Straight down the middle of the keys, and a few that people think of first. */
const wellKnown: ReadonlySet<string> = new Set([
  '2580',
  '0852',
  '1357',
  '2468',
  '147258',
  '159753',
  '112233',
]);

/** What is wrong with a PIN somebody chooses; null when it is fit. A guesser tries the obvious ones first. */
export function pinFault(pin: string): PinFault | null {
  const { least, most } = pinLength;
  if (pin.length < least || pin.length > most || !/^[0-9]+$/.test(pin)) return 'not digits';
  if (new Set(pin).size === 1) return 'all the same';
  if (isStraight(pin)) return 'in a row';
  if (/^(.+)\1+$/.test(pin)) return 'repeated';
  if (/^(19|20)\d\d$/.test(pin)) return 'a year';
  return wellKnown.has(pin) ? 'well known' : null;
}

/** Upwards or downwards by one, past 9 to 0 as the keys lie: 1234, 9876, 7890. */
function isStraight(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}
