import type { WebExtension } from '../web/app/extension.ts';
import { cleaningPages } from './cleaning/web/extension.ts';
import { importPages } from './import/web/extension.ts';
import { kegboardPages } from './kegboards/web/extension.ts';
import { kioskPages } from './kiosk/web/extension.ts';
import { menuPublicationPages } from './menu-publication/web/extension.ts';
import { metricsPages } from './metrics/web/extension.ts';
import { mqttPages } from './mqtt/web/extension.ts';
import { salesPages } from './sales/web/extension.ts';
import { scalePages } from './scales/web/extension.ts';
import { serialBoardsPages } from './serial-boards/web/extension.ts';
import { stockPages } from './stock/web/extension.ts';
import { upstreamPages } from './upstream/web/extension.ts';

/** What the extensions add to the page; `all.ts` lists them for the daemon. */
export const webExtensions: readonly WebExtension[] = [
  cleaningPages,
  kioskPages,
  mqttPages,
  menuPublicationPages,
  metricsPages,
  importPages,
  upstreamPages,
  serialBoardsPages,
  stockPages,
  salesPages,
  kegboardPages,
  scalePages,
];
