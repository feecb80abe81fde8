import { expect, test } from 'vitest';
import { guessColumns } from '../../../../src/extensions/sales/core/guess-columns.ts';
import { guessFormat } from '../../../../src/extensions/sales/core/guess-format.ts';
import { salesPresetFormats } from '../../../../src/extensions/sales/core/sales-format.ts';

test.each([
  [
    'Square',
    'Date,Time,Time Zone,Category,Item,Qty,Price Point Name,SKU,Gross Sales,Discounts,Net Sales,Tax,Transaction ID,Employee,Event Type',
    'date=Date time=Time item_name=Item quantity=Qty variant=Price Point Name item_key=SKU category=Category gross=Gross Sales discount=Discounts net=Net Sales check_id=Transaction ID kind=Event Type',
  ],
  [
    'Clover',
    'Line Item Date,Order ID,Order Employee Name,Item Name,Item Product Code,Quantity,Item Revenue',
    'date=Line Item Date check_id=Order ID item_name=Item Name quantity=Quantity net=Item Revenue',
  ],
  [
    'SumUp',
    'Date,Time,Transaction ID,Description,Quantity,Price (Gross),Discount,Price (Net),Category',
    'date=Date time=Time check_id=Transaction ID item_name=Description quantity=Quantity net=Price (Gross) discount=Discount category=Category',
  ],
  [
    'Lightspeed',
    'Sale Date,Receipt Number,SKU,Product,Quantity,Discount,Total',
    'date=Sale Date check_id=Receipt Number item_key=SKU item_name=Product quantity=Quantity discount=Discount net=Total',
  ],
  [
    'Toast',
    'Order Id,Sent Date,Order Date,Check Id,Server,Item Selection Id,PLU,Menu Item,Menu Group,Gross Price,Discount,Net Price,Qty,Void?',
    'external_id=Item Selection Id date=Sent Date check_id=Check Id item_key=PLU item_name=Menu Item category=Menu Group gross=Gross Price discount=Discount net=Net Price quantity=Qty kind=Void?',
  ],
  [
    'ready2order',
    'Datum;Uhrzeit;Rechnungsnummer;Artikelnummer;Artikel;Produktgruppe;Menge;Rabatt;Brutto;Netto',
    'date=Datum time=Uhrzeit check_id=Rechnungsnummer item_key=Artikelnummer item_name=Artikel category=Produktgruppe quantity=Menge discount=Rabatt gross=Brutto net=Netto',
  ],
  [
    'German',
    'Datum;Uhrzeit;Artikel;Menge;Betrag',
    'date=Datum time=Uhrzeit item_name=Artikel quantity=Menge net=Betrag',
  ],
  [
    'Spanish',
    'Fecha;Hora;Artículo;Categoría;Cantidad;Ventas brutas;Descuento;Ventas netas',
    'date=Fecha time=Hora item_name=Artículo category=Categoría quantity=Cantidad gross=Ventas brutas discount=Descuento net=Ventas netas',
  ],
  [
    'French',
    'Date;Heure;Désignation;Catégorie;Quantité;Montant TTC;Remise;Montant',
    'date=Date time=Heure item_name=Désignation category=Catégorie quantity=Quantité gross=Montant TTC discount=Remise net=Montant',
  ],
  [
    'Dutch',
    'Datum;Tijd;Bon;Omschrijving;Groep;Aantal;Korting;Bedrag',
    'date=Datum time=Tijd check_id=Bon item_name=Omschrijving category=Groep quantity=Aantal discount=Korting net=Bedrag',
  ],
])('guesses the columns of %s', (_till, head, expected) => {
  const columns = guessColumns(head.split(head.includes(';') ? ';' : ','));
  const wanted = Object.fromEntries(expected.split(/ (?=[a-z_]+=)/).map((pair) => pair.split('=')));
  expect(columns).toEqual(wanted);
});

test('takes no column with names of persons, no column twice, and nothing from other texts', () => {
  expect(guessColumns(['Kellner', 'Server', 'Item', 'Item', 'Helles', ''])).toEqual({ item_name: 'Item' });
});

test('finds head, separator, decimal sign and order of dates below titles', () => {
  const text =
    'Umsatzbericht;;;;\r\nFiliale Mitte\r\n\r\nDatum;Uhrzeit;Artikel;Menge;Betrag\n25.05.2026;18:04;Helles;2;9,00\n';
  expect(guessFormat(text)).toEqual({
    delimiter: ';',
    decimalSign: ',',
    dateOrder: 'dmy',
    columns: { date: 'Datum', time: 'Uhrzeit', item_name: 'Artikel', quantity: 'Menge', net: 'Betrag' },
  });
});

test.each([
  ['05/02/26', 'ask'],
  ['2026-05-02', 'ymd'],
  ['2 May 2026', 'ymd'],
  ['05/22/2026', 'mdy'],
  ['soon', null],
])('for dates such as %s the order of dates is %s', (date, order) => {
  expect(guessFormat(`Date,Time,Item,Qty\n${date},18:04,Lager,1\n`).dateOrder).toBe(order);
});

test('keeps the columns of the kind of till where the head has them, and leaves open what nothing shows', () => {
  const { columns } = salesPresetFormats.generic;
  expect(guessFormat('date,time,item_name,quantity\n', columns)).toEqual({
    delimiter: ',',
    decimalSign: null,
    dateOrder: null,
    columns,
  });
  expect(guessFormat('PK\u0003\u0004', columns)).toMatchObject({ delimiter: null, columns: {} });
});
