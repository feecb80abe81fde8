import { salesPresetFormats } from '../../../../src/extensions/sales/core/sales-format.ts';
import { formatJson } from '../../../../src/extensions/sales/http/sales-schemas.ts';
import type { ExampleRequests } from '../../../http/openapi/example-requests/example-request.ts';

const sale = {
  external_id: '4711',
  check_id: 'B1',
  time: '2026-05-01T18:05:00Z',
  item_key: '101',
  item_name: 'Lager',
  variant: 'Pint',
  category: 'Draught',
  quantity: 2,
  net_minor: 960,
};
const sent = [['post', '/sales', { till: 'Front', sales: [sale] }]] as const;
const format = JSON.stringify(
  formatJson({
    ...salesPresetFormats.generic,
    delimiter: ';',
    decimalSign: ',',
    dateOrder: 'dmy',
    timeMeaning: 'ring',
    timeZone: 'Europe/Berlin',
  }),
);
const csv = {
  files: ['file'],
  fileText:
    'check_id;date;time;item_key;item_name;variant;category;quantity;net\n' +
    'B1;01.05.2026;20:05;101;Lager;0.5 L;Draught;2;9,60\nB1;01.05.2026;25:05;101;Lager;0.5 L;Draught;1;4,80\n',
};
const till = [['post', '/tills', { name: 'Front' }]] as const;

/** What tills sell and sold. */
export const salesRequests: ExampleRequests = {
  listTills: { before: sent },
  getTill: { before: sent },
  createTill: { body: { name: 'Front' } },
  replaceTill: { before: sent, body: { name: 'Counter' } },
  changeTill: { before: sent, body: { ignored_categories: ['Food'] } },
  removeTill: { before: till },
  listTillItems: { before: sent },
  mapTillItem: {
    before: sent,
    body: { components: [{ beverage_id: 1, serving_size_id: 1, count: 1, liquid_ml: null }] },
  },
  ignoreTillItem: { before: sent },
  resetTillItem: { before: sent },
  listSales: { before: sent },
  recordSales: { body: { till: 'Front', sales: [sale] } },
  previewSalesImport: { body: { format }, ...csv },
  createSalesImport: { before: till, body: { till_id: 1, file_name: 'day.csv', format }, ...csv },
  listSalesImports: { before: sent },
  getSalesImport: { before: sent },
  undoSalesImport: { before: sent },
  setServings: {
    body: {
      servings: [
        { serving_size_id: 1, liquid_ml: 110, tax_basis_points: 1900, codes: ['101', 'Lager taster'] },
      ],
    },
  },
};
