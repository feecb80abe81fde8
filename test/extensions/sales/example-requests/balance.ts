import type { ExampleRequests } from '../../../http/openapi/example-requests/example-request.ts';

const sale = {
  external_id: '4711',
  time: '2020-02-03T19:00:00Z',
  item_name: 'Lager pint',
  quantity: 10,
  net_minor: 4_800,
};
const mapping = { components: [{ beverage_id: 1, serving_size_id: null, count: 1, liquid_ml: 500 }] };
const before = [
  ['post', '/tills', { name: 'Front' }],
  ['post', '/sales', { till: 'Front', sales: [sale] }],
  ['put', '/till-items/1/mapping', mapping],
] as const;
const byPerson = { reason: 'Agreed with the works council on 1 February 2020', days: 60 };
const isOn = [['put', '/sales/by-person/settings', byPerson]] as const;
const params = { month: '2020-02' };

/** Poured against sold. */
export const balanceRequests: ExampleRequests = {
  getSalesBalance: { before, query: { first: '2020-02-03', last: '2020-02-03' } },
  getSalesBalanceFile: {
    before,
    params: { file: 'balance.csv' },
    query: { first: '2020-02-03', last: '2020-02-03' },
  },
  getByPersonSettings: { before: isOn },
  turnByPersonOn: { body: byPerson },
  turnByPersonOff: { before: isOn },
  getSalesByPerson: {
    before: [
      ...isOn,
      ['post', '/tills', { name: 'Front' }],
      ['post', '/sales', { till: 'Front', sales: [{ ...sale, seller: 'Anna' }] }],
      ['put', '/till-items/1/mapping', mapping],
    ],
    query: { first: '2020-02-03', last: '2020-02-03' },
  },
  getMonthBalance: { before, params },
  closeMonth: { before, params },
  reopenMonth: { before: [...before, ['post', '/sales/months/2020-02/close', {}]], params },
};
