import type { WebExtension } from '../../../web/app/extension.ts';

/** It has commands and no pages. */
export const importPages: WebExtension = {
  name: 'import',
  labelKey: 'import.feature',
  aboutKey: 'import.why',
  pages: [],
  menu: [],
};
