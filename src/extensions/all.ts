import { cleaning } from './cleaning/extension.ts';
import type { Extension } from './extension.ts';
import { historyImport } from './import/extension.ts';
import { kegboards } from './kegboards/extension.ts';
import { kiosk } from './kiosk/extension.ts';
import { menuPublication } from './menu-publication/extension.ts';
import { metrics } from './metrics/extension.ts';
import { mqtt } from './mqtt/extension.ts';
import { sales } from './sales/extension.ts';
import { serialBoards } from './serial-boards/extension.ts';
import { stock } from './stock/extension.ts';
import { upstream } from './upstream/extension.ts';

/** Every extension of the daemon, in the order in which the base asks them; `pages.ts` lists their pages. */
export const extensions: readonly Extension[] = [
  cleaning,
  kiosk,
  menuPublication,
  metrics,
  mqtt,
  historyImport,
  upstream,
  serialBoards,
  stock,
  sales,
  kegboards,
];

/** The names of the features that a site switches. */
export const extensionNames: readonly string[] = extensions.map(({ name }) => name);
