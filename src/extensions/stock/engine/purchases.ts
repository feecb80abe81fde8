import { fromMinor, minorDigits } from '../../../core/kegs/money.ts';
import type { Picture } from '../../../core/records.ts';
import type { createKegs } from '../../../engine/kegs/kegs.ts';
import type { NewKeg } from '../../../engine/kegs/new-keg.ts';
import { type Corrected, correctableRecordChange } from '../../../engine/kegs/record-corrections.ts';
import { kegRows, mergeRows, pictureRows } from '../../../engine/kegs/record-rows.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import { requireFound, validateDate, validateNumber, validateText } from '../../../engine/shared/bounds.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { PreparedPicture } from '../../../engine/shared/pictures.ts';
import { maxCodeLength } from '../core/gs1.ts';
import {
  type KegPurchase,
  maxDelivery,
  maxPurchaseMinor,
  maxPurchaseText,
  noPurchase,
} from '../core/keg-stock.ts';
import { purchasesTable, type StockTables } from '../store/stock-store.ts';

/** Kegs that came together. */
export interface Delivery {
  readonly keg: NewKeg;
  /** Number of kegs, 1 to 50. */
  readonly count: number;
  readonly purchase: Partial<KegPurchase>;
}

/** What is known of kegs from their deliveries: for staff only. */
export function createPurchases(
  parts: EngineParts,
  purchases: StockTables['purchases'],
  kegs: Pick<ReturnType<typeof createKegs>, 'create'>,
) {
  const { store } = parts;
  const requireKeg = (id: number) => requireFound(store.kegs.byId(id), `keg ${id}`);
  /** For the audit log: only what is known. */
  const snapshot = (kegId: number) => {
    const { costMinor, depositMinor, ...purchase } = purchases.byKeg(kegId);
    const { currency } = store.reports.settings();
    const sum = (minor: number | null) =>
      minor === null ? null : `${fromMinor(minor, currency).toFixed(minorDigits(currency))} ${currency}`;
    const values = { ...purchase, cost: sum(costMinor), deposit: sum(depositMinor) };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''));
  };
  return {
    /** Throws `not_found`. */
    ofKeg: (kegId: number): KegPurchase => purchases.byKeg(requireKeg(kegId).id),

    /** The last suppliers, for the next delivery. */
    suppliers: (): readonly string[] => purchases.suppliers(),

    /** Fields left out keep their values. */
    change: (kegId: number, fields: Partial<KegPurchase>, context: ActorContext): Corrected<KegPurchase> =>
      correctableRecordChange(
        parts,
        context,
        { action: 'keg.purchase_changed', kind: 'keg', id: kegId, snapshot },
        () => ({ [purchasesTable]: store.drinks.rows.ofExtension(purchasesTable, 'keg_id', kegId) }),
        () => {
          const purchase = validatePurchase({ ...purchases.byKeg(requireKeg(kegId).id), ...fields });
          purchases.set(kegId, purchase);
          return purchase;
        },
      ),

    /** The picture of its label; null without one. Throws `not_found`. */
    label: (kegId: number): Picture | null => store.pictures.bySubject('keg', requireKeg(kegId).id),

    /** Sets the picture of its label, or removes it; the files of the previous one are kept for a time, for undo. */
    setLabel: (kegId: number, picture: PreparedPicture | null, context: ActorContext): Corrected<void> =>
      correctableRecordChange(
        parts,
        context,
        {
          action: picture === null ? 'keg.label_removed' : 'keg.label_set',
          kind: 'keg',
          id: kegId,
          snapshot: (id) => ({ label: store.pictures.bySubject('keg', id)?.name ?? null }),
        },
        () => pictureRows(store, { kind: 'keg', id: kegId }),
        () => {
          const current = store.pictures.bySubject('keg', requireKeg(kegId).id);
          if (current !== null) store.pictures.addCancelled(current.name);
          if (picture === null) store.pictures.remove('keg', kegId);
          else store.pictures.set({ subject: 'keg', id: kegId, name: picture.name, caption: '' });
        },
      ),

    /** Adds kegs to the stock. The undo removes all of them, unless one was put on a tap or changed since. */
    receive({ keg, count, purchase }: Delivery, context: ActorContext): Corrected<readonly number[]> {
      const total = validateNumber('count', count, { min: 1, max: maxDelivery, whole: true });
      const validated = validatePurchase({ ...noPurchase, ...purchase });
      const ids: number[] = [];
      return correctableRecordChange(
        parts,
        context,
        {
          action: 'keg.received',
          kind: 'keg',
          id: () => ids[0]!,
          snapshot: (id) => ({ ...store.kegs.byId(id), kegs: total, ...snapshot(id) }),
        },
        () => mergeRows(ids.map((id) => kegRows(store, id))),
        () => {
          for (let i = 0; i < total; i += 1) {
            const { id } = kegs.create(keg, context.now);
            purchases.set(id, validated);
            ids.push(id);
          }
          return ids;
        },
      );
    },
  };
}

function validatePurchase(fields: KegPurchase): KegPurchase {
  const text = (field: string, value: string) => validateText(field, value, { min: 0, max: maxPurchaseText });
  const day = (field: string, value: string | null) => (value === null ? null : validateDate(field, value));
  const amount = (field: string, value: number | null) =>
    value === null ? null : validateNumber(field, value, { min: 0, max: maxPurchaseMinor, whole: true });
  return {
    supplier: text('supplier', fields.supplier),
    batch: text('batch', fields.batch),
    code: validateText('code', fields.code, { min: 0, max: maxCodeLength }),
    location: text('location', fields.location),
    receivedOn: day('received_on', fields.receivedOn),
    bornOn: day('born_on', fields.bornOn),
    bestBefore: day('best_before', fields.bestBefore),
    costMinor: amount('cost_minor', fields.costMinor),
    depositMinor: amount('deposit_minor', fields.depositMinor),
    depositReturnedOn: day('deposit_returned_on', fields.depositReturnedOn),
  };
}
