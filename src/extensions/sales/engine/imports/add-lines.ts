import { hashOf } from '../../../../engine/shared/files/row-hash.ts';
import { maxItemText, type SaleLine, toLineIdentity } from '../../core/sale-line.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';
import type { AddedSale } from '../../store/sales-table.ts';
import { maxTillItems } from '../sales-bounds.ts';

/** Returns a function that makes the keys of the lines of one import, by which they are known. */
export function createLineKeys(): (line: SaleLine) => string {
  const seen = new Map<string, number>();
  return (line) => {
    const first = hashOf(...toLineIdentity(line, 0));
    const ordinal = seen.get(first) ?? 0;
    seen.set(first, ordinal + 1);
    return ordinal === 0 ? first : hashOf(...toLineIdentity(line, ordinal), ordinal);
  };
}

/** What is stored of a line. */
export const toStoredLine = (line: SaleLine) => ({
  checkId: line.checkId,
  timeMs: Math.round(line.timeMs),
  kind: line.kind,
  quantity: line.quantity,
  grossMinor: line.grossMinor,
  discountMinor: line.discountMinor,
  netMinor: line.netMinor,
});

/** Adds the lines of one import; `null` for a line whose product is one too many. Call it in a transaction. */
export function createLineWriter(
  store: SalesDatabase,
  { tillId, importId }: { tillId: number; importId: number },
) {
  const hasSellers = store.sellers.settings().reason !== null;
  const items = new Map<string, number>();
  const keyOf = createLineKeys();

  const findItem = (line: SaleLine): number | null => {
    const texts = {
      key: line.itemKey,
      variant: line.variant,
      name: line.itemName,
      category: line.category,
    };
    const cacheKey = JSON.stringify(texts);
    const cached = items.get(cacheKey);
    if (cached !== undefined) return cached;
    const found = store.tillItems.find(tillId, texts.key, texts.variant);
    if (found === null && store.tillItems.count(tillId) >= maxTillItems) return null;
    const id = found?.id ?? addItem(store, { tillId, ...texts });
    if (found !== null && (found.name !== texts.name || found.category !== texts.category))
      store.tillItems.rename(id, texts);
    items.set(cacheKey, id);
    return id;
  };

  return (line: SaleLine): AddedSale | null => {
    const itemId = findItem(line);
    if (itemId === null) return null;
    return store.sales.add({
      tillId,
      importId,
      itemId,
      key: keyOf(line),
      ...toStoredLine(line),
      seller: hasSellers ? (line.seller ?? null) : null,
    });
  };
}

/** Adds a product; one whose number or name is a code of a serving contains that from the beginning. */
function addItem(
  store: SalesDatabase,
  item: { tillId: number; key: string; variant: string; name: string; category: string },
): number {
  const id = store.tillItems.add(item);
  const full = `${item.name} ${item.variant}`.trim();
  const serving = [item.key, full, item.name]
    .filter((code) => code.length <= maxItemText)
    .map((code) => store.servings.byCode(code))
    .find((found) => found !== null);
  if (!serving) return id;
  const { beverageId, sizeId } = serving;
  const own = store.servings.byBeverage(beverageId).find((one) => one.sizeId === sizeId)?.liquidMl;
  const size = store.kegs.servingSizes.all().find((one) => one.id === sizeId);
  const liquidMl = own ?? size?.volumeMl;
  if (liquidMl === undefined) return id;
  store.tillItems.setMappings(id, [{ sinceMs: 0, components: [{ beverageId, sizeId, count: 1, liquidMl }] }]);
  return id;
}
