import { say } from './say.ts';
import { type WiringWords, wiringEnglish } from './wiring-english.ts';
import { wiringGerman } from './wiring-german.ts';

/** What the wiring doctor says, in the language of the reader. */
export const words: WiringWords = say.locale === 'de' ? wiringGerman : wiringEnglish;
