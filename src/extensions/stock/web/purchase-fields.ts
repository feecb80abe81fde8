import { fromMinor, minorDigits, toMinor } from '../../../core/kegs/money.ts';
import type { KegPurchase } from '../../../web/api/generated.ts';
import { t } from '../../../web/locales/locale.ts';
import { maxCodeLength } from '../core/gs1.ts';
import { maxPurchaseText } from '../core/keg-stock.ts';

/** The fields of what is known of a keg from its delivery; amounts are typed in the currency. */
export const purchaseFields = (purchase: Partial<KegPurchase>, currency: string) => {
  const amount = (minor: number | null | undefined) => ({
    kind: 'number' as const,
    value: minor == null ? null : fromMinor(minor, currency),
    min: 0,
    digits: minorDigits(currency),
    unit: currency,
    optional: 'null' as const,
  });
  const text = (value: string | undefined) => ({
    kind: 'text' as const,
    value: value ?? '',
    maxLength: maxPurchaseText,
    optional: 'empty' as const,
  });
  const day = (value: string | null | undefined) => ({
    kind: 'date' as const,
    value: value ?? null,
    optional: 'null' as const,
  });
  return [
    { ...amount(purchase.cost_minor), name: 'cost_minor', label: t('stock.cost'), hint: t('stock.costHint') },
    { ...amount(purchase.deposit_minor), name: 'deposit_minor', label: t('stock.deposit') },
    { ...day(purchase.best_before), name: 'best_before', label: t('stock.bestBefore') },
    { ...text(purchase.supplier), name: 'supplier', label: t('stock.supplier') },
    { ...text(purchase.location), name: 'location', label: t('stock.location') },
    { ...day(purchase.received_on), name: 'received_on', label: t('stock.receivedOn'), isMore: true },
    { ...text(purchase.batch), name: 'batch', label: t('stock.batch'), isMore: true },
    {
      ...text(purchase.code),
      name: 'code',
      label: t('stock.code'),
      maxLength: maxCodeLength,
      isMore: true,
    },
    { ...day(purchase.born_on), name: 'born_on', label: t('stock.bornOn'), isMore: true },
  ] as const;
};

interface TypedPurchase {
  readonly cost_minor: number | null;
  readonly deposit_minor: number | null;
  readonly best_before: string | null;
  readonly supplier: string;
  readonly location: string;
  readonly received_on: string | null;
  readonly batch: string;
  readonly code: string;
  readonly born_on: string | null;
}

/** What was typed, as the API expects it. */
export function toPurchaseBody(typed: TypedPurchase, currency: string) {
  const minor = (amount: number | null) => (amount === null ? null : toMinor(amount, currency));
  const { best_before, supplier, location, received_on, batch, code, born_on } = typed;
  return {
    supplier,
    batch,
    code,
    location,
    received_on,
    born_on,
    best_before,
    cost_minor: minor(typed.cost_minor),
    deposit_minor: minor(typed.deposit_minor),
  };
}
