/** Length of a PIN, digits. */
export const pinLength = { least: 4, most: 8 } as const;

/**
 * Wrong PINs in a row after which only the password works: by then 1 in 1000 of the shortest PINs is guessed.
 */
export const maxWrongPins = 10;

/** Wrong PINs that a tablet or account may enter before the first pause. */
const freeAttempts = 5;

/** First pause, milliseconds; it doubles with each further wrong PIN. */
const firstPauseMs = 30_000;
const maxPauseMs = 900_000;

/** Pause after so many wrong PINs, milliseconds. */
export function toPauseMs(wrong: number): number {
  const excess = wrong - freeAttempts;
  return excess < 0 ? 0 : Math.min(firstPauseMs * 2 ** Math.min(excess, 20), maxPauseMs);
}

/** Why a PIN is rejected. */
export type PinFault = 'not digits' | 'all the same' | 'in a row' | 'repeated' | 'a year' | 'well known';

/** The middle column of the keypad, and other common choices. */
const wellKnown: ReadonlySet<string> = new Set([
  '2580',
  '0852',
  '1357',
  '2468',
  '147258',
  '159753',
  '112233',
]);

/** What is wrong with a new PIN; null when it is acceptable. Attackers try obvious PINs first. */
export function pinFault(pin: string): PinFault | null {
  const { least, most } = pinLength;
  if (pin.length < least || pin.length > most || !/^[0-9]+$/.test(pin)) return 'not digits';
  if (new Set(pin).size === 1) return 'all the same';
  if (isStraight(pin)) return 'in a row';
  if (/^(.+)\1+$/.test(pin)) return 'repeated';
  if (/^(19|20)\d\d$/.test(pin)) return 'a year';
  return wellKnown.has(pin) ? 'well known' : null;
}

/** Ascending or descending by one, wrapping from 9 to 0 as on the keypad: 1234, 9876, 7890. */
function isStraight(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}
