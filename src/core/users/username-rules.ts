/**
 * Usernames by the profile UsernameCaseMapped of PRECIS (RFC 8265, with the identifier class of RFC 8264), and stricter:
 * only letters, marks, digits and `_ . @ + -`, letters of one script, no punctuation at the ends.
 */

/** Maximum length of a username, code points. */
export const maxUsernameLength = 30;

/**
 * Why a username is refused: a character that is not allowed, letters of two scripts, digits of two systems, an end that
 * is neither letter nor digit, a right-to-left name whose order on the screen is not certain, a reserved name.
 */
export type UsernameFault = 'characters' | 'scripts' | 'digits' | 'ends' | 'direction' | 'reserved';

/** `guest` means no user in reported pours; `/api/users/me` is an address. */
const reservedKeys: ReadonlySet<string> = new Set(['guest', 'me']);

/** Full-width and half-width forms, which PRECIS maps to their usual forms before everything else. */
const widthForms = /[\u3000\uff01-\uffee]/g;

/** Letters, marks and decimal digits of the identifier class (RFC 8264, sections 4.2 and 9), and our punctuation. */
const allowedCharacters = /^[\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}_.@+-]+$/u;

/**
 * Disallowed by the same sections: invisible characters, conjoining Hangul letters, the exceptions of RFC 5892, section
 * 2.6. Also the Cyrillic variants whose capital is that of another letter.
 */
const disallowedCharacters =
  /[\p{Default_Ignorable_Code_Point}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\u0640\u07fa\u302e\u302f\u1c80-\u1c8f\u3031-\u3035\u303b]/u;

/**
 * The scripts in everyday use (Unicode Standard Annex 31, table 5). Japanese, Korean and Bopomofo are written with Chinese
 * characters beside their own (Unicode Technical Standard 39, section 5.1).
 */
const scripts: readonly (readonly string[])[] = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati'],
  ...['Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Latin', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala'],
  ...['Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
]
  .map((script) => [script])
  .concat([
    ['Han', 'Hiragana', 'Katakana'],
    ['Han', 'Hangul'],
    ['Han', 'Bopomofo'],
  ]);

/** Matches a name of one script; punctuation, ASCII digits and common marks belong to every script. */
const oneScript = scripts.map(
  (names) =>
    new RegExp(`^[0-9_.@+\\-\\p{scx=Inherited}${names.map((name) => `\\p{scx=${name}}`).join('')}]+$`, 'u'),
);

const rightToLeft = /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Thaana}]/u;

/** A username as it is stored and shown: usual width, composed characters, without spaces around it; case is kept. */
export const toUsername = (text: string): string => toUsualWidth(text).trim().normalize('NFC');

/**
 * The form by which usernames are compared: two names with the same form are one. Takes any text and never throws;
 * applied to its own result it changes nothing. Beyond RFC 8265, ς equals σ: the lower case of Σ depends on its place.
 */
export function toUsernameKey(text: string): string {
  let key = toUsername(text);
  // RFC 8264, section 7: composing can give a text that the mapping changes once more.
  for (let pass = 0; pass < 4; pass++) {
    const mapped = key.toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
    if (mapped === key) break;
    key = mapped;
  }
  return key;
}

/** What is wrong with a username (of `toUsername`); null when it is acceptable. Its length is checked elsewhere. */
export function usernameFault(username: string): UsernameFault | null {
  const key = toUsernameKey(username);
  if (![username, key].every(hasAllowedCharacters)) return 'characters';
  if (!/^[\p{L}\p{N}]/u.test(username) || /[_.@+-]$/.test(username)) return 'ends';
  if (!oneScript.some((pattern) => pattern.test(username))) return 'scripts';
  if (hasMixedDigits(username)) return 'digits';
  // RFC 5893, section 2: a right-to-left name starts with a letter.
  if (rightToLeft.test(username) && !/^\p{L}/u.test(username)) return 'direction';
  return reservedKeys.has(key) ? 'reserved' : null;
}

/** Whether a name in a reported pour means no user: an empty one or `guest`. */
export const isGuestName = (text: string): boolean => ['', 'guest'].includes(toUsernameKey(text));

const toUsualWidth = (text: string): string =>
  text.replace(widthForms, (character) => character.normalize('NFKC'));

function hasAllowedCharacters(name: string): boolean {
  if (!allowedCharacters.test(name) || disallowedCharacters.test(name)) return false;
  // A character with a compatibility form, such as ﬁ or 𝐛, looks like another one (RFC 8264, section 9.17).
  return [...name].every((character) => character.normalize('NFKC') === character);
}

/** The ten digits of one system have adjacent code points. */
function hasMixedDigits(name: string): boolean {
  const digits = [...name].filter((character) => /\p{Nd}/u.test(character)).map((one) => one.codePointAt(0)!);
  return digits.length > 0 && Math.max(...digits) - Math.min(...digits) > 9;
}
