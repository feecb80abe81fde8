import { type CalibrationWords, calibrationEnglish } from './calibration-english.ts';
import { calibrationGerman } from './calibration-german.ts';
import { say } from './say.ts';

/** What the calibration of a meter says, in the language of the reader. */
export const words: CalibrationWords = say.locale === 'de' ? calibrationGerman : calibrationEnglish;
