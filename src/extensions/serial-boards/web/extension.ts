import type { WebExtension } from '../../../web/app/extension.ts';

/** The boards are on the page Wiring, with all other hardware. */
export const serialBoardsPages: WebExtension = {
  name: 'serial-boards',
  labelKey: 'serialBoards.feature',
  aboutKey: 'serialBoards.why',
  pages: [],
  slots: { healthPage: (part) => (part === 'serial' ? '/wiring' : null) },
  menu: [],
};
