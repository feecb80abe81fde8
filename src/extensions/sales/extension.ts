import { defineExtension } from '../extension.ts';

/** What tills sold, and how it compares with what was poured. */
export const sales = defineExtension({
  name: 'sales',
  isOnByDefault: false,
  pages: [
    '/sales',
    '/sales/balance',
    '/sales/import',
    '/sales/money',
    '/sales/by-person',
    '/sales/lines',
    '/sales/tills/:id',
  ],
  texts: [
    'sales.',
    'balance.',
    'money.',
    'byPerson.',
    'shifts.',
    'export.kinds.sales',
    'audit.actions.beverage.servings_set',
    'audit.actions.sales.',
    'audit.actions.till',
    'audit.fields.included_tax',
    'audit.subjects.sales_import',
    'audit.subjects.till',
  ],
});
