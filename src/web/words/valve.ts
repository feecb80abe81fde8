import { say } from './say.ts';
import { type ValveWords, valveEnglish } from './valve-english.ts';
import { valveGerman } from './valve-german.ts';

/** What is said of a tap's valve, in the language of the reader; fetched with the tap's sheet. */
export const words: ValveWords = say.locale === 'de' ? valveGerman : valveEnglish;
