import { removeHiddenCharacters } from '../rules/text-rules.ts';
import { isBlankCard, printedNumber, readMarkedCard } from './card-text.ts';

/** Cards, whose numbers readers write in many forms. */
const cardDevice = 'core.rfid';

/** Devices with hexadecimal values, which readers print in either case. */
export const hexDevices: readonly string[] = [cardDevice, 'core.onewire'];

/**
 * The one form in which a token is stored and compared: without hidden characters, trimmed, `onewire` as its full name,
 * hexadecimal in lower case, and a card's number as its bytes where the text says how to read it. A number of ten digits alone
 * stays as it is: it may be five bytes.
 */
export function normalizeToken(device: string, value: string): { device: string; value: string } {
  const trimmed = removeHiddenCharacters(device, 'line').trim();
  const name = trimmed === 'onewire' ? 'core.onewire' : trimmed;
  const text = removeHiddenCharacters(value, 'line').trim();
  if (!hexDevices.includes(name)) return { device: name, value: text };
  return { device: name, value: (name === cardDevice ? readMarkedCard(text) : null) ?? text.toLowerCase() };
}

/** True for a value that readers report without a card; the value is normalized. */
export const isBlankToken = (device: string, value: string): boolean =>
  hexDevices.includes(device) && isBlankCard(value);

/** The bytes of a card that was entered by its printed number of ten digits; null for other values, normalized. */
export const printedForm = (device: string, value: string): string | null =>
  device === cardDevice ? printedNumber(value) : null;
