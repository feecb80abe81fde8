import type { ExtensionCases } from '../../kit/extension-cases.ts';
import { addSales } from './browser/sample-sales.ts';
import { salesEvidence } from './text-evidence.ts';

export const cases: ExtensionCases = {
  name: 'sales',
  evidence: salesEvidence,
  addSamples: addSales,
};
