import type { BrowserCases } from '../../../browser/kit/browser-cases.ts';
import { shoot } from '../../../browser/screenshots/shot.ts';

export const browserCases: BrowserCases = {
  pages: [{ name: 'MQTT page', path: '/mqtt', isStaff: true, ready: '.form [name=host]' }],
  shots: shoot('/mqtt', ['390 light', '390 dark', '1440 light', '1440 dark']),
};
