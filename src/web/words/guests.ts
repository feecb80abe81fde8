import { type GuestWords, guestsEnglish } from './guests-english.ts';
import { guestsGerman } from './guests-german.ts';
import { say } from './say.ts';

/** Texts of the menu and claims in the user's language; loaded with the menu. */
export const words: GuestWords = say.locale === 'de' ? guestsGerman : guestsEnglish;
