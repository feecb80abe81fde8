import type { BrowserCases } from '../../../browser/kit/browser-cases.ts';
import { addSales } from './sample-sales.ts';

export const browserCases: BrowserCases = { addSamples: addSales };
