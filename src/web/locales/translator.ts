import {
  type Catalogue,
  createTranslator as createTranslatorOf,
  type GroupOfMessages,
  type PlainKeyOf,
  type TranslatorOf,
} from '../../core/locales/translator.ts';
import type { Messages } from './messages.ts';

export type { Catalogue, MessageValues } from '../../core/locales/translator.ts';
/** Keys of the texts without placeholders. */
export type PlainKey = PlainKeyOf<Messages>;
/** A common beginning of keys, without its last dot. */
export type MessageGroup = GroupOfMessages<Messages>;
/** The functions that return the page's texts in one language. */
export type Translator = TranslatorOf<Messages>;

/** Creates the functions that return the page's texts in one language. */
export const createTranslator: (language: string, catalogue: Catalogue) => Translator =
  createTranslatorOf<Messages>;
