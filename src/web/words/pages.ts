import { type PagesWords, pagesEnglish } from './pages-english.ts';
import { pagesGerman } from './pages-german.ts';
import { say } from './say.ts';

/** Texts of the pages besides the taps in the user's language; loaded with the first of them. */
export const words: PagesWords = say.locale === 'de' ? pagesGerman : pagesEnglish;
