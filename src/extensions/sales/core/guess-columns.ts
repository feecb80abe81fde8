import { toPlainWord } from '../../../core/files/month-names.ts';
import { isPersonalColumn, type SaleField, saleFields, toColumnKey } from './sales-format.ts';

/**
 * Names of columns in exports of tills, by field, the most telling first: Square, Clover, SumUp, Lightspeed, Toast, ready2order, orderbird,
 * Zettle, Shopify and Loyverse, and what people write in English, German, Spanish, French and Dutch. In the form of `toHeadKey`.
 */
const heads: Readonly<Record<Exclude<SaleField, 'seller'>, string>> = {
  external_id:
    'external id|item selection id|line item id|line id|order item id|position id|positions-id|id de linea|id ligne|regel-id',
  check_id:
    'check id|transaction id|receipt id|receipt number|receipt no|receipt|order id|order number|order #|order|sale id|invoice number|check #|check|bill|transaction|' +
    'belegnummer|beleg-nr|beleg|bonnummer|bon-nr|bon|rechnungsnummer|rechnungsnr|rechnung|transaktionsnummer|transaktions-id|vorgang|' +
    'numero de ticket|n° de ticket|ticket|numero de recibo|recibo|factura|numero de pedido|pedido|' +
    'numero de ticket|numero de recu|recu|n° ticket|facture|commande|transactie|transactienummer|bon nummer|bestelling|kassabon|factuur',
  date:
    'sent date|order date|line item date|item date|sale date|transaction date|created at|date and time|date & time|date/time|datetime|date time|timestamp|date|day|' +
    'bestelldatum|buchungsdatum|belegdatum|rechnungsdatum|verkaufsdatum|datum und uhrzeit|datum/uhrzeit|datum/zeit|zeitpunkt|datum|tag|' +
    'fecha y hora|fecha/hora|fecha de venta|fecha|date et heure|date/heure|date de vente|date de creation|jour|' +
    'datum en tijd|datum/tijd|verkoopdatum|tijdstip|time sent|created',
  time: 'time|order time|sale time|uhrzeit|zeit|hora|heure|tijd|tijdstip',
  item_key:
    'plu|sku|item id|product id|product code|item code|article code|artikelnummer|artikel-nr|artikelnr|art.-nr|art-nr|produktnummer|' +
    'codigo|codigo de producto|referencia|reference|code article|code produit|ref|artikelcode|productcode|art_nr',
  item_name:
    'menu item|item name|product name|item|product|article|description|item description|line item|' +
    'artikelname|artikelbezeichnung|artikeltext|artikel|produktname|produkt|bezeichnung|beschreibung|' +
    'nombre del articulo|nombre del producto|articulo|producto|descripcion|concepto|' +
    "nom de l'article|nom du produit|libelle|article|produit|designation|productnaam|omschrijving|lineitem name",
  variant:
    'price point name|variation name|variation|variant|item variant|variant name|size|modifier|' +
    'variante|variantenname|grosse|variacion|variante|tamano|taille|declinaison|maat',
  category:
    'menu group|category|item category|product category|reporting category|department|product group|group|' +
    'kategorie|warengruppe|produktgruppe|artikelgruppe|hauptgruppe|gruppe|categoria|familia|grupo|categorie|famille|rayon|productgroep|groep|warengr',
  quantity:
    'qty|quantity|qty sold|quantity sold|items sold|units sold|sold|count|units|lineitem quantity|' +
    'menge|anzahl|stuck|stuckzahl|verkaufte menge|cantidad|unidades|cant|quantite|qte|nombre|aantal|hoeveelheid|stuks',
  gross:
    'gross sales|gross price|gross amount|gross|gross total|total gross|item total|' +
    'bruttoumsatz|bruttobetrag|brutto|bruttopreis|umsatz brutto|gesamt brutto|' +
    'ventas brutas|importe bruto|bruto|total bruto|ventes brutes|montant brut|brut|total ttc|montant ttc|ttc|bruto-omzet|bruto omzet|omzet bruto|brutobedrag',
  discount:
    'discounts|discount|discount amount|item discounts|total discount|rabatt|rabatte|nachlass|descuento|descuentos|remise|remises|reduction|korting|kortingen',
  net:
    'net sales|net price|net amount|net|net total|net$|total|amount|price|sales|item revenue|revenue|total revenue|' +
    'nettoumsatz|nettobetrag|netto|betrag|umsatz|summe|gesamt|gesamtpreis|preis|endbetrag|' +
    'ventas netas|importe neto|neto|importe|total neto|precio|ventes nettes|montant net|montant|net ht|total ht|ht|prix|' +
    'netto-omzet|netto omzet|omzet netto|omzet|nettobedrag|bedrag|prijs|totaal',
  kind: 'event type|void?|voided|transaction type|sale type|type|vorgangsart|transaktionsart|storno|typ|tipo|tipo de transaccion|type de transaction|soort',
};

/** Names of columns by field. */
export type GuessedColumns = Readonly<Partial<Record<SaleField, string>>>;

const byHead = new Map<string, number>(
  saleFields.flatMap((field) =>
    field === 'seller'
      ? []
      : heads[field].split('|').map((head, rank) => [`${field}\n${toHeadKey(head)}`, rank] as const),
  ),
);

/** A name of a column without case, accents, points, units and signs at its ends. */
function toHeadKey(name: string): string {
  return toPlainWord(toColumnKey(name).replaceAll('_', ' '))
    .replace(/\s*[([{].*?[)\]}]\s*$/, '')
    .replace(/[\s:*]+$/, '')
    .trim();
}

/**
 * Guesses which column is which field from the names in the head of a file; a person sees and corrects it. A column is taken once. A column
 * of prices is no amount when there is a better one.
 */
export function guessColumns(head: readonly string[]): GuessedColumns {
  const found = saleFields.flatMap((field) =>
    head.flatMap((name, position) => {
      const rank = isPersonalColumn(name) ? undefined : byHead.get(`${field}\n${toHeadKey(name)}`);
      return rank === undefined ? [] : [{ field, name: name.trim(), position, rank }];
    }),
  );
  const columns: Partial<Record<SaleField, string>> = {};
  const taken = new Set<number>();
  for (const { field, name, position } of found.sort((one, other) => one.rank - other.rank)) {
    if (columns[field] !== undefined || taken.has(position)) continue;
    columns[field] = name;
    taken.add(position);
  }
  return columns;
}

/** How many names of a row are known as names of columns. */
export const countKnownHeads = (cells: readonly string[]): number => Object.keys(guessColumns(cells)).length;
