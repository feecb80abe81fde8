import type { ExtensionCases } from '../../kit/extension-cases.ts';
import { salesEvidence } from './text-evidence.ts';

export const cases: ExtensionCases = { name: 'sales', evidence: salesEvidence };
