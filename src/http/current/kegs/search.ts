import Type from 'typebox';
import { Maybe } from '../../routes/schemas.ts';

/** A search in a list of the catalogue. `meaning` is a sentence. */
export const Search = (meaning: string) =>
  Maybe(
    Type.String({
      maxLength: 255,
      description: `${meaning} Case, accents and punctuation do not matter, and a part of a word is enough.`,
    }),
  );
