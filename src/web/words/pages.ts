import { type PagesWords, pagesEnglish } from './pages-english.ts';
import { pagesGerman } from './pages-german.ts';
import { say } from './say.ts';

/** What the pages beyond the taps say, in the language of the reader; fetched with the first of them. */
export const words: PagesWords = say.locale === 'de' ? pagesGerman : pagesEnglish;
