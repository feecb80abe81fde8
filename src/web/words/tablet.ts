import { say } from './say.ts';
import { type TabletWords, tabletEnglish } from './tablet-english.ts';
import { tabletGerman } from './tablet-german.ts';

/** Texts of shared tablets in the user's language; loaded on a shared tablet and the account page. */
export const words: TabletWords = say.locale === 'de' ? tabletGerman : tabletEnglish;
