/** Length of a password, characters. */
export const passwordLength = { least: 10, most: 1_024 } as const;

/** Why a new password is refused. Those of the list of common ones are looked up by the engine. */
export type PasswordFault = 'length' | 'blank' | 'repeated' | 'in a row' | 'common';

/** A longer pattern is a word or more: typing it twice is not the first thing that is tried. */
const maxPatternLength = 8;

/** Fewer different characters than this are one character with a few others. */
const minDifferent = 4;

/** Keys side by side on keyboards in use, letters and digits in order. */
const rows: readonly string[] = [
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopüasdfghjklöäyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'abcdefghijklmnopqrstuvwxyz',
  '12345678901234567890',
].flatMap((row) => [row, [...row].reverse().join('')]);

/** The form by which passwords are compared with what is easily guessed. */
export const toGuessedForm = (password: string): string => password.normalize('NFKC').toLowerCase();

/** What is wrong with a new password, apart from being common; null when nothing is. */
export function passwordFault(password: string): Exclude<PasswordFault, 'common'> | null {
  if (/^[\s\p{Default_Ignorable_Code_Point}\p{Cc}⠀]+$/u.test(password)) return 'blank';
  const { least, most } = passwordLength;
  if (!isWithin([...password].length, least, most)) return 'length';
  const text = toGuessedForm(password);
  const characters = [...text];
  if (characters.length < least) return 'length';
  if (new Set(characters).size < minDifferent || isRepeated(characters)) return 'repeated';
  return rows.some((row) => row.includes(text)) ? 'in a row' : null;
}

const isWithin = (length: number, least: number, most: number): boolean => length >= least && length <= most;

/** True when a short pattern is written again and again; the last time it may be cut off. */
function isRepeated(characters: readonly string[]): boolean {
  for (let length = 1; length <= Math.min(maxPatternLength, characters.length / 2); length++)
    if (characters.every((character, i) => i < length || character === characters[i - length])) return true;
  return false;
}
