import { say } from './say.ts';
import { type ValveWords, valveEnglish } from './valve-english.ts';
import { valveGerman } from './valve-german.ts';

/** Texts about a tap's valve in the user's language; loaded with the tap dialog. */
export const words: ValveWords = say.locale === 'de' ? valveGerman : valveEnglish;
