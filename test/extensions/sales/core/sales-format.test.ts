import { expect, test } from 'vitest';
import { isPersonalColumn, salesPresetFormats } from '../../../../src/extensions/sales/core/sales-format.ts';

test.each([
  ...[
    'Bedienung',
    'Kassierer',
    'Kassiererin',
    'Verkäufer',
    'BEDIENER_NAME',
    'Bediener-Nr',
    'Mitarbeiter',
    'Gast',
    'Gastname',
  ],
  ...[
    'Server',
    'Server_Name',
    'Employee_Name',
    'Employee ID',
    'Waiter Name',
    'Cashier Name',
    'cashier-id',
    ' Bartender ',
  ],
  ...[
    'Opened By',
    'closed_by',
    'Collected by',
    'Voided By',
    'Customer Name',
    'Kundennummer',
    'Guest name',
    'PAN Suffix',
  ],
])('the column "%s" names a person', (name) => {
  expect(isPersonalColumn(name)).toBe(true);
});

test.each([
  ...[
    'Item',
    'Menu Item',
    'Date',
    'Check Id',
    'Observer',
    'Service',
    'Servings',
    'Void?',
    'Gastronomie',
    'By',
  ],
])('the column "%s" names no person', (name) => {
  expect(isPersonalColumn(name)).toBe(false);
});

test('no column that a preset reads names a person, but that of the seller', () => {
  for (const { columns } of Object.values(salesPresetFormats)) {
    const { seller: _, ...others } = columns;
    expect(Object.values(others).filter(isPersonalColumn)).toEqual([]);
  }
});
