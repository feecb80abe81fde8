import { removeHiddenCharacters, type TextKind } from '../text/text-rules.ts';

/**
 * The text of a cell as a person sees it: without characters that are not shown, such as marks of writing direction, soft hyphens and blanks of
 * no width, which come along when texts are copied.
 */
export const cleanCell = (text: string, kind: TextKind = 'line'): string =>
  removeHiddenCharacters(text, kind).trim();
