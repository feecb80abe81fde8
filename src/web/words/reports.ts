import { type ReportWords, reportsEnglish } from './reports-english.ts';
import { reportsGerman } from './reports-german.ts';
import { say } from './say.ts';

/** What the page of business days says, in the language of the reader. */
export const words: ReportWords = say.locale === 'de' ? reportsGerman : reportsEnglish;
