import { systemActor } from '../../../src/engine/engine.ts';
import type { RepeatedDifference } from '../../../src/extensions/sales/core/balance/verdict.ts';
import type { MailedMonth } from '../../../src/extensions/sales/engine/balance/month-mail.ts';
import { sales } from '../../../src/extensions/sales/extension.ts';
import type { ExtensionCases } from '../../kit/extension-cases.ts';
import { balanceRequests } from './example-requests/balance.ts';
import { salesRequests } from './example-requests/sales.ts';
import { salesEvidence } from './text-evidence.ts';

/** What the mail of a month says; a new member fails to compile until it is here. */
const mailed: Readonly<Record<MailedMonth['kind'], true>> = {
  poured_not_rung: true,
  rung_not_poured: true,
  agrees: true,
};

const repeated: Readonly<Record<RepeatedDifference['kind'], true>> = {
  poured_not_rung: true,
  rung_not_poured: true,
};

const monthMail: MailedMonth = {
  month: '2026-09',
  kind: 'poured_not_rung',
  volumeMl: 1_234_567,
  uncertaintyMl: 123_456,
  valueMinor: 123_456_789,
  valueUncertaintyMinor: 12_345_678,
  currency: 'EUR',
  beverage: 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2),
  findings: 123,
};

export const cases: ExtensionCases = {
  name: 'sales',
  evidence: salesEvidence,
  exampleRequests: { ...salesRequests, ...balanceRequests },
  unpagedReads: ['getSalesByPerson'],
  wholeLists: ['listSalesFiles', 'listSalesPresets', 'listServings', 'listTillItems'],
  writeNothing: ['previewSalesImport'],
  oneAtATime: ['createSalesImport', 'undoSalesImport'],
  // Of an imported file.
  otherHashes: ['sales_imports.content_hash'],
  forSuperusers: ['/api/sales/by-person'],
  namedRecords: [['/tills', 'name', {}]],
  // Files of a folder are at most 1000.
  smallTables: ['tills', 'sales_files', 'mailed_month', 'by_person_settings'],
  // What was sold is added up; the products of a till and the files of the folder are few.
  sortedQueries:
    /FROM till_items i LEFT|FROM sales_files|FROM serving|FROM keg_drinks d JOIN users|GROUP BY seller/,
  mails: { month_balance: monthMail },
  choices: {
    'mails.month_balance.sentence kind': { values: Object.keys(mailed), other: 'agrees' },
    'mails.balance_differs.text direction': { values: Object.keys(repeated), other: 'rung_not_poured' },
  },
  beforeAnswers({ engine, now }) {
    const services = engine.serviceOf(sales);
    const by = { actor: systemActor, now: now() };
    const time = { timeMs: Date.UTC(2026, 4, 1, 18, 5), kind: 'sale' as const, quantity: 1 };
    const item = { itemKey: 'Lager', itemName: 'Lager', variant: '', category: '' };
    const amounts = { grossMinor: null, discountMinor: null, netMinor: 800 };
    services.sales.tills.create('Front', by);
    services.sales.api.receive(
      'Front',
      { timeMeaning: 'ring', lines: [{ externalId: '1', checkId: '', ...time, ...item, ...amounts }] },
      by,
    );
    services.personBalances.turnOn({ reason: 'Agreed with all staff.' }, by);
  },
};
