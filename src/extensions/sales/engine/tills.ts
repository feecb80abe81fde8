import { AppError } from '../../../core/app-error.ts';
import { type ActorContext, auditedChange } from '../../../engine/shared/actor-context.ts';
import {
  requireFound,
  validateNumber,
  validateText,
  validationError,
} from '../../../engine/shared/bounds.ts';
import { maxItemText } from '../core/sale-line.ts';
import type { SalesFormat } from '../core/sales-format.ts';
import type { CountedItem, ItemMapping, TillItem } from '../store/till-items-table.ts';
import type { Till } from '../store/tills-table.ts';
import { addTill, tillSnapshot } from './add-till.ts';
import type { SalesParts } from './parts.ts';
import { proposeComponents } from './propose-components.ts';
import {
  maxIgnoredCategories,
  maxMappings,
  type RequestedComponent,
  validateComponents,
  validateFormat,
  validateTillName,
} from './sales-bounds.ts';

/** A product of a till, with what it contains or could contain. */
export interface TillItemView extends CountedItem {
  readonly mappings: readonly ItemMapping[];
  /** Of an unknown product; null when its texts name no beverage. */
  readonly proposal: readonly RequestedComponent[] | null;
}

/** Tills, and what their products contain. */
export function createTills(parts: SalesParts) {
  const { store } = parts;

  const till = (id: number): Till =>
    requireFound(Number.isSafeInteger(id) ? store.tills.byId(id) : null, `till ${id}`);
  const item = (id: number): TillItem =>
    requireFound(Number.isSafeInteger(id) ? store.tillItems.byId(id) : null, `product ${id}`);
  const snapshot = (id: number) => tillSnapshot(store, id);
  const itemSnapshot = (id: number) => {
    const { name = '', variant = '', isIgnored = false } = store.tillItems.byId(id) ?? {};
    const contains = store.tillItems.mappings(id).map(({ sinceMs, components }) => ({
      since: new Date(sinceMs).toISOString(),
      components: components.map(({ beverageId, count, liquidMl }) => {
        const beverage = store.kegs.beverages.byId(beverageId)?.name ?? beverageId;
        return `${count} × ${Math.round(liquidMl)} mL ${beverage}`;
      }),
    }));
    return { product: `${name} ${variant}`.trim(), ignored: isIgnored, contains };
  };
  const requireFreeName = (name: string, ownId: number): string => {
    const found = store.tills.byName(name);
    if (found !== null && found.id !== ownId)
      throw validationError('name', 'is taken by another till', { name: 'taken' });
    return name;
  };
  const toView = (propose: ReturnType<typeof proposeComponents>, counted: CountedItem): TillItemView => ({
    ...counted,
    mappings: counted.state === 'mapped' ? store.tillItems.mappings(counted.id) : [],
    proposal: counted.state === 'unknown' ? propose(counted) : null,
  });
  const changeItem = (id: number, action: string, context: ActorContext, work: () => void): TillItemView => {
    auditedChange(parts, context, { action, kind: 'till_item', id, snapshot: itemSnapshot }, () => {
      item(id);
      work();
    });
    return getItem(id);
  };
  const getItem = (id: number): TillItemView =>
    toView(proposeComponents(store), store.tillItems.countedById(item(id).id)!);

  const setIncludedTax = (id: number, tax: number | null): void =>
    store.tills.setIncludedTax(
      id,
      tax === null
        ? null
        : validateNumber('included_tax_basis_points', tax, { min: 0, max: 10_000, whole: true }),
    );

  const create = (
    name: string,
    context: ActorContext,
    { includedTaxBasisPoints = null }: { readonly includedTaxBasisPoints?: number | null } = {},
  ): Till =>
    auditedChange(
      parts,
      context,
      {
        action: 'till.created',
        kind: 'till',
        id: (created: Till) => created.id,
        snapshot,
      },
      () => {
        const { id } = addTill(store, name, 'name');
        setIncludedTax(id, includedTaxBasisPoints);
        return till(id);
      },
    );

  return {
    list: (): readonly Till[] => store.tills.all(),
    get: till,
    byName: (name: string): Till | null => store.tills.byName(name),
    create,
    /** Absent fields stay. */
    change: (
      id: number,
      {
        name,
        format,
        ignoredCategories,
        includedTaxBasisPoints,
      }: {
        readonly name?: string;
        readonly format?: SalesFormat | null;
        readonly ignoredCategories?: readonly string[];
        readonly includedTaxBasisPoints?: number | null;
      },
      context: ActorContext,
    ): Till =>
      auditedChange(parts, context, { action: 'till.changed', kind: 'till', id, snapshot }, () => {
        till(id);
        if (name !== undefined) store.tills.rename(id, requireFreeName(validateTillName(name, 'name'), id));
        if (format !== undefined) store.tills.setFormat(id, format === null ? null : validateFormat(format));
        if (includedTaxBasisPoints !== undefined) setIncludedTax(id, includedTaxBasisPoints);
        if (ignoredCategories !== undefined) {
          const categories = new Set(
            ignoredCategories.map((one) =>
              validateText('ignored_categories', one, { min: 0, max: maxItemText }),
            ),
          );
          validateNumber('ignored_categories', categories.size, { min: 0, max: maxIgnoredCategories });
          store.tills.setIgnoredCategories(id, [...categories]);
        }
        return till(id);
      }),
    /** Only a till without lines: its imports have been undone. */
    remove: (id: number, context: ActorContext): void =>
      auditedChange(parts, context, { action: 'till.deleted', kind: 'till', id, snapshot }, () => {
        till(id);
        if (store.sales.hasAny(id))
          throw new AppError('conflict', 'The till has sales: undo its imports first.', {
            reason: { name: 'till_has_sales' },
          });
        store.tills.remove(id);
      }),

    /** All products of a till, those with most lines first. */
    items(tillId: number): readonly TillItemView[] {
      till(tillId);
      const propose = proposeComponents(store);
      return store.tillItems.list(tillId).map((counted) => toView(propose, counted));
    },
    item: getItem,
    /**
     * Says what a product contains from a time on, by default also in the past. Without a time all that was said before is replaced;
     * with one, what holds before it stays.
     */
    mapItem: (
      id: number,
      {
        components,
        sinceMs = 0,
      }: { readonly components: readonly RequestedComponent[]; readonly sinceMs?: number },
      context: ActorContext,
    ): TillItemView =>
      changeItem(id, 'till_item.mapped', context, () => {
        const mapping = { sinceMs, components: validateComponents(store, components) };
        const earlier = store.tillItems.mappings(id).filter((one) => one.sinceMs < sinceMs);
        validateNumber('since', earlier.length, { min: 0, max: maxMappings - 1 });
        store.tillItems.setMappings(id, [...earlier, mapping]);
        store.tillItems.setIgnored(id, false);
      }),
    /** Forgets what a product contains, and whether it is ignored. */
    resetItem: (id: number, context: ActorContext): TillItemView =>
      changeItem(id, 'till_item.reset', context, () => {
        store.tillItems.setMappings(id, []);
        store.tillItems.setIgnored(id, false);
      }),
    /** A product that is ignored contains no draught beer. */
    ignoreItem: (id: number, context: ActorContext): TillItemView =>
      changeItem(id, 'till_item.ignored', context, () => {
        store.tillItems.setMappings(id, []);
        store.tillItems.setIgnored(id, true);
      }),
  };
}
