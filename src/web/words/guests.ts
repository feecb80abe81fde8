import { type GuestWords, guestsEnglish } from './guests-english.ts';
import { guestsGerman } from './guests-german.ts';
import { say } from './say.ts';

/** What guests read and say, in the language of the reader; fetched with the menu. */
export const words: GuestWords = say.locale === 'de' ? guestsGerman : guestsEnglish;
