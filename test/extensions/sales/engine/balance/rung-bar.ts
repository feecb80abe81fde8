import { at, minute, openingMs } from '../../../../engine/bar.ts';
import { insertDrink } from '../../../../kit/drinks/insert-drink.ts';
import type { SwitchedOn } from '../../../../kit/extensions.ts';
import { openSalesBar } from '../sales-bar.ts';

const context = (afterMs: number) => ({ actor: { userId: null, via: 'console' as const }, now: at(afterMs) });

/** A bar that poured `poured` and rang up `sold` half litres of Lager on 1 May, a minute apart. */
export function openRungBar(
  { poured = 40, sold = 40 }: { poured?: number; sold?: number } = {},
  switchedOn?: SwitchedOn,
) {
  const bar = openSalesBar(undefined, switchedOn);
  const pour = (tap: number, afterMs: number, volumeMl = 500) =>
    insertDrink(bar.store, { tap, ticks: 500, volumeMl }, at(afterMs));
  const ring = (afterMs: number, more: { id?: string; item?: string; quantity?: number } = {}) =>
    bar.sales.api.receive(
      bar.till.name,
      {
        timeMeaning: 'ring',
        lines: [
          {
            externalId: more.id ?? `line-${afterMs}`,
            checkId: '',
            timeMs: openingMs + afterMs,
            itemKey: more.item ?? 'Lager 0.5',
            itemName: more.item ?? 'Lager 0.5',
            variant: '',
            category: 'Draught',
            kind: 'sale',
            quantity: more.quantity ?? 1,
            grossMinor: null,
            discountMinor: null,
            netMinor: 400,
          },
        ],
      },
      context(afterMs),
    );
  for (let i = 0; i < poured; i += 1) pour(bar.left.id, (i + 1) * minute);
  for (let i = 0; i < sold; i += 1) ring((i + 1) * minute + 20_000);
  if (sold > 0) bar.map('Lager 0.5', '', 500);
  return { ...bar, pour, ring, balances: bar.engine.balances };
}
