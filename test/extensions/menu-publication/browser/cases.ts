import type { BrowserCases } from '../../../browser/kit/browser-cases.ts';
import { shoot } from '../../../browser/screenshots/shot.ts';

export const browserCases: BrowserCases = {
  pages: [{ name: 'Menu on the web', path: '/menu-publication', isStaff: true, ready: '.form [name=url]' }],
  shots: shoot('/menu-publication', ['390 light', '1440 dark']),
};
