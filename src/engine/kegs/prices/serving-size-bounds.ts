import {
  languageTagPattern,
  maxNameLanguages,
  maxServingSizes,
  type ServingSize,
} from '../../../core/kegs/serving-sizes.ts';
import type { StoredSize } from '../../../store/kegs/serving-sizes-table.ts';
import { validateNumber, validateText, validationError } from '../../shared/bounds.ts';

const languageTag = new RegExp(languageTagPattern);

/** Validates a list of serving sizes; ids must be those of `existing` ones. */
export function validateSizes(
  sizes: readonly StoredSize[],
  existing: readonly ServingSize[],
): readonly StoredSize[] {
  validateNumber('serving_sizes', sizes.length, { min: 0, max: maxServingSizes });
  const unused = new Set(existing.map(({ id }) => id));
  return sizes.map(({ id, volumeMl, name, names }) => {
    if (id !== null && !unused.delete(id)) {
      throw validationError('id', 'must be the id of a serving size, each once', {
        name: 'exists',
        what: 'serving_size',
      });
    }
    return {
      id,
      volumeMl: validateNumber('volume_ml', volumeMl, { min: 1, max: 100_000 }),
      name: validateText('name', name, { min: 0, max: 64 }),
      names: validateNames(names),
    };
  });
}

function validateNames(names: ServingSize['names']): ServingSize['names'] {
  const entries = Object.entries(names).map(([tag, name]) => {
    if (!languageTag.test(tag))
      throw validationError('names', 'must have language tags such as de', { name: 'language_tag' });
    return [tag, validateText('names', name, { min: 0, max: 64 })] as const;
  });
  validateNumber('names', entries.length, { min: 0, max: maxNameLanguages });
  return Object.fromEntries(entries.filter(([, name]) => name !== ''));
}
