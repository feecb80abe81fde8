import { removeHiddenCharacters } from '../text/text-rules.ts';
import {
  foldCardText,
  isBlankCard,
  isBrokenNumber,
  printedNumber,
  readMarkedCard,
  toBytes,
} from './card-text.ts';

/** Cards, whose numbers readers write in many forms. */
const cardDevice = 'core.rfid';

/** Devices with hexadecimal values, which readers print in either case. */
export const hexDevices: readonly string[] = [cardDevice, 'core.onewire'];

/**
 * The one form in which a token is stored and compared: without hidden characters, trimmed, `onewire` as its full name,
 * names of devices with hexadecimal values in lower case, and a number as its bytes where the text says how to read it. A
 * number of ten digits alone stays as it is: it may be five bytes.
 */
export function normalizeToken(device: string, value: string): { device: string; value: string } {
  const trimmed = removeHiddenCharacters(device, 'line').trim();
  const lower = trimmed.toLowerCase();
  const known = lower === 'onewire' ? 'core.onewire' : lower;
  const text = removeHiddenCharacters(value, 'line').trim();
  if (!hexDevices.includes(known)) return { device: trimmed, value: text };
  // An odd number of ones would become other bytes.
  const number = isBlankCard(text) ? null : readCardNumber(text);
  return { device: known, value: number ?? foldCardText(text) };
}

/** The one form of a card's number in any spelling; null for a text that is none. */
export const readCardNumber = (text: string): string | null =>
  readMarkedCard(text) ?? toBytes(foldCardText(text));

/** True for what no card has: the numbers that readers report without one, and digits that cannot be read; normalized. */
export const isUnreadableToken = (device: string, value: string): boolean =>
  hexDevices.includes(device) && (isBlankCard(value) || isBrokenNumber(value));

/** The bytes of a card that was entered by its printed number of ten digits; null for other values, normalized. */
export const printedForm = (device: string, value: string): string | null =>
  device === cardDevice ? printedNumber(value) : null;
