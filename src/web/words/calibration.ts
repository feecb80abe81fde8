import { type CalibrationWords, calibrationEnglish } from './calibration-english.ts';
import { calibrationGerman } from './calibration-german.ts';
import { say } from './say.ts';

/** Texts of the calibration page in the user's language. */
export const words: CalibrationWords = say.locale === 'de' ? calibrationGerman : calibrationEnglish;
