import { type ReportsWords, reportsEnglish } from './reports-english.ts';
import { reportsGerman } from './reports-german.ts';
import { say } from './say.ts';

/** Texts of the reports page in the user's language. */
export const words: ReportsWords = say.locale === 'de' ? reportsGerman : reportsEnglish;
