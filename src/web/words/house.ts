import { type HouseWords, houseEnglish } from './house-english.ts';
import { houseGerman } from './house-german.ts';
import { say } from './say.ts';

/** What the pages beyond the taps say, in the language of the reader; fetched with the first of them. */
export const words: HouseWords = say.locale === 'de' ? houseGerman : houseEnglish;
