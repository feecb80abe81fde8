import { type ReportsWords, reportsEnglish } from './reports-english.ts';
import { reportsGerman } from './reports-german.ts';
import { say } from './say.ts';

/** What the page of business days says, in the language of the reader. */
export const words: ReportsWords = say.locale === 'de' ? reportsGerman : reportsEnglish;
