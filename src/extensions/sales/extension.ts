import { defineMail } from '../../outbox/mail/own-mails.ts';
import { defineExtension } from '../extension.ts';
import { salesGroup } from './config/settings-group.ts';
import { salesAlarms } from './core/alarm-kinds.ts';
import { monthMail } from './engine/balance/month-mail.ts';
import { salesStore } from './store/sales-store.ts';

/** What tills sold: their lines, poured against sold, money, and figures by person. */
export const sales = defineExtension({
  ...salesStore,
  isOnByDefault: false,
  settings: salesGroup,
  isConfigured: ({ folder }) => folder !== '',
  services: async () => (await import('./engine/sales-services.ts')).createSalesServices,
  hooks: ({ conditions }) => ({ alarmConditions: conditions }),
  alarms: salesAlarms,
  mails: [defineMail(monthMail, async () => (await import('./outbox/month-email.ts')).renderMonth)],
  addresses: [
    '/beverages/{id}/servings',
    '/reports/money',
    '/sales',
    '/sales-files',
    '/sales-imports',
    '/sales-presets',
    '/sales-previews',
    '/till-items',
    '/tills',
  ],
  tags: {
    sales: 'Lines of tills.',
    'sales-files': 'Files of the watched folder with sales.',
    'sales-imports': 'Imports of the lines of tills.',
    'sales-presets': 'Known kinds of tills.',
    'sales-previews': 'How files of tills would be understood.',
    'till-items': 'Products of tills, and what they contain.',
    tills: 'Tills whose lines are imported.',
  },
  routes: async () => (await import('./http/routes.ts')).salesRoutes,
  start: async () => (await import('./daemon/sales-tasks.ts')).startSalesTasks,
  pages: [
    '/sales',
    '/sales/balance',
    '/sales/by-person',
    '/sales/import',
    '/sales/lines',
    '/sales/money',
    '/sales/tills/:id',
  ],
  texts: [
    'sales.',
    'balance.',
    'money.',
    'byPerson.',
    'shifts.',
    'export.kinds.sales',
    'mails.month_balance.',
    'audit.actions.beverage.servings_set',
    'audit.actions.sales.',
    'audit.actions.till',
    'audit.fields.included_tax',
    'audit.subjects.sales_import',
    'audit.subjects.till',
    'daemon.problems.sales',
    'daemon.problemTexts.sales_',
  ],
});
