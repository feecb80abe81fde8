import { readFileSync } from 'node:fs';
import { createTranslator, type Translator } from '../../../src/web/locales/translator.ts';

const file = new URL('../../../locales/en.json', import.meta.url);
const translator = createTranslator('en', JSON.parse(readFileSync(file, 'utf8')));

/** The English text of a key, for tests of what a flow does and not of how its buttons are named. */
export const text: Translator['t'] = translator.t;
