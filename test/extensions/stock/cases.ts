import type { NotFreshKeg } from '../../../src/extensions/stock/engine/stock.ts';
import type { ExtensionCases } from '../../kit/extension-cases.ts';

const stockCount = {
  lines: [
    { beverage_id: 1, keg_type: 'euro-30-liter', counted: 0, reason: 'given_away' },
    { beverage_id: 1, keg_type: 'corny', counted: 1, reason: 'not_recorded' },
  ],
  note: 'After the summer festival',
};
const before = [['post', '/stock-counts', stockCount]] as const;

export const cases: ExtensionCases = {
  name: 'stock',
  wholeLists: ['getCountSheet'],
  evidence: {
    'the daemon has answered that it did what was asked': ['stock.returned'],
    'what the browser did or read': ['scan.*'],
    'counts of the stock count that a person entered': ['stockCount.*'],
    'nothing: a button, a label, a choice or a hint': ['stock.maxDaysHint', 'stock.return', 'stock.returnOf'],
  },
  choices: {
    'mails.keg_not_fresh.text reason': {
      values: ['past_best_before', 'long_on_tap'] satisfies NotFreshKeg['reason'][],
      other: 'past_best_before',
    },
  },
  exampleRequests: {
    addDelivery: {
      body: {
        keg: { beverage_id: 1, keg_type: 'half-barrel' },
        count: 2,
        purchase: {
          supplier: 'Nordbräu',
          best_before: '2026-08-31',
          cost_minor: 12_900,
          deposit_minor: 3_000,
        },
      },
    },
    setKegLabel: { files: ['image'] },
    listStockCounts: { before },
    addStockCount: { body: stockCount },
    getStockCountsCsv: { before },
  },
};
