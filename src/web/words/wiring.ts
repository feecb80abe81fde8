import { say } from './say.ts';
import { type WiringWords, wiringEnglish } from './wiring-english.ts';
import { wiringGerman } from './wiring-german.ts';

/** Texts of the wiring page in the user's language. */
export const words: WiringWords = say.locale === 'de' ? wiringGerman : wiringEnglish;
