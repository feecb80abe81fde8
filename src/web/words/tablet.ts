import { say } from './say.ts';
import { type TabletWords, tabletEnglish } from './tablet-english.ts';
import { tabletGerman } from './tablet-german.ts';

/** What shared tablets say, in the language of the reader; fetched where there is one. */
export const words: TabletWords = say.locale === 'de' ? tabletGerman : tabletEnglish;
