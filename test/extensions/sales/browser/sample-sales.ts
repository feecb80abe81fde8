import { systemActor } from '../../../../src/engine/engine.ts';
import { sales } from '../../../../src/extensions/sales/extension.ts';
import { salesStore } from '../../../../src/extensions/sales/store/sales-store.ts';
import type { SampleData } from '../../../browser/kit/browser-cases.ts';
import { longNames } from '../../../browser/kit/fit.ts';

/** A till with a few lines. It is stored without an entry of the audit log, whose picture shows the work of people. */
export function addSales({ engine, store, now }: SampleData): void {
  const { salesImports, tills } = store.tablesOf(salesStore);
  store.transaction(() => {
    const id = salesImports.add({
      tillId: tills.add('Front'),
      source: 'api',
      fileName: new Date(now.wallMs).toISOString().slice(0, 10),
      contentHash: '',
      startedMs: now.wallMs,
      timeMeaning: 'ring',
    });
    salesImports.setState(id, 'complete');
  });
  const line = {
    checkId: 'B1',
    timeMs: now.wallMs,
    variant: '0.5 L',
    category: 'Draught',
    kind: 'sale' as const,
    grossMinor: 480,
    discountMinor: 0,
    netMinor: 480,
    quantity: 1,
  };
  const lines = ['Pils', longNames.beer, 'Cola'].map((itemName, i) => ({
    ...line,
    externalId: String(i),
    itemKey: String(100 + i),
    itemName,
  }));
  const { api } = engine.serviceOf(sales).sales;
  api.receive('Front', { lines, timeMeaning: 'ring' }, { actor: systemActor, now });
}
