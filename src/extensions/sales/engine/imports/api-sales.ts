import { timesEndMs } from '../../../../core/clock/parse-time.ts';
import type { ActorContext } from '../../../../engine/shared/actor-context.ts';
import { writeAudit } from '../../../../engine/shared/audit.ts';
import { validateNumber, validateText, validationError } from '../../../../engine/shared/bounds.ts';
import { change } from '../../../../engine/shared/parts.ts';
import { maxAmountMinor, maxIdText, maxItemText, maxQuantity, type SaleLine } from '../../core/sale-line.ts';
import type { TimeMeaning } from '../../core/sales-format.ts';
import { maxSellerName } from '../../core/sellers.ts';
import type { SalesImport } from '../../store/sales-imports-table.ts';
import type { Till } from '../../store/tills-table.ts';
import { addTill, tillSnapshot } from '../add-till.ts';
import type { SalesParts } from '../parts.ts';
import { createLineWriter } from './add-lines.ts';

/** Lines of one request: they are stored in one transaction. */
export const maxApiLines = 200;

const dayMs = 86_400_000;

/** A line that a program sends. */
export type ApiLine = Omit<SaleLine, 'writtenTime'>;

/** What happened to the lines of a request. */
export interface ReceivedSales {
  readonly tillId: number;
  readonly importId: number;
  readonly newLines: number;
  readonly changedLines: number;
  readonly knownLines: number;
}

/** Lines that programs send. Sending them again changes nothing. */
export function createApiSales(parts: SalesParts) {
  const { store } = parts;
  /** The lines of a till that came on one UTC day are one import, which can be undone. */
  const openImports = new Map<number, { readonly id: number; readonly day: number }>();

  const findImport = (
    tillId: number,
    timeMeaning: TimeMeaning,
    nowMs: number,
  ): { readonly record: SalesImport; readonly isNew: boolean } => {
    const day = Math.floor(nowMs / dayMs);
    const open = openImports.get(tillId);
    const stored =
      open?.day === day
        ? store.salesImports.byId(open.id)
        : store.salesImports.latestOfApi(tillId, day * dayMs);
    // What comes after a file that is complete for its span is not gone by it.
    const isOpen =
      stored !== null && stored.state === 'complete' && stored.id > store.salesImports.latestComplete(tillId);
    if (isOpen && stored.timeMeaning === timeMeaning) return { record: stored, isNew: false };
    const id = store.salesImports.add({
      tillId,
      source: 'api',
      fileName: new Date(day * dayMs).toISOString().slice(0, 10),
      contentHash: '',
      startedMs: nowMs,
      timeMeaning,
    });
    store.salesImports.setState(id, 'complete');
    return { record: store.salesImports.byId(id)!, isNew: true };
  };

  const findTill = (name: string, { actor, now }: ActorContext): Till => {
    const found = store.tills.byName(name.trim());
    if (found !== null) return found;
    const till = addTill(store, name, 'till');
    const after = tillSnapshot(store, till.id);
    writeAudit(store, { actor, action: 'till.created', subject: { kind: 'till', id: till.id }, after }, now);
    return till;
  };

  return {
    /**
     * Lines of a till, which is created when there is none of that name. Throws `invalid_request` naming the first wrong field; then
     * nothing is stored. The audit log has an entry for each import, and for each request that changes lines.
     */
    receive(
      tillName: string,
      { lines, timeMeaning }: { readonly lines: readonly ApiLine[]; readonly timeMeaning: TimeMeaning },
      context: ActorContext,
    ): ReceivedSales {
      validateNumber('sales', lines.length, { min: 1, max: maxApiLines, whole: true });
      const validated = lines.map((line, i) => validateLine(line, `sales.${i}`));
      const nowMs = Math.max(0, Math.round(context.now.wallMs));
      const received = change(parts, () => {
        const till = findTill(tillName, context);
        const tillId = till.id;
        const { record, isNew } = findImport(tillId, timeMeaning, nowMs);
        const write = createLineWriter(store, { tillId, importId: record.id });
        const added = validated.map((line, i) => {
          const result = write(line);
          if (result === null)
            throw validationError(
              `sales.${i}.item_key`,
              'is a product too many: delete a till or send fewer products',
            );
          return result;
        });
        const count = (what: string) => added.filter((one) => one === what).length;
        const times = validated.map(({ timeMs }) => timeMs);
        const [newLines, changedLines] = [count('new'), count('changed')];
        store.salesImports.setCounts(record.id, {
          ...record,
          lines: record.lines + newLines + changedLines,
          newLines: record.newLines + newLines,
          changedLines: record.changedLines + changedLines,
          firstMs: Math.min(record.firstMs ?? Number.POSITIVE_INFINITY, ...times),
          lastMs: Math.max(record.lastMs ?? 0, ...times),
        });
        if (isNew || changedLines > 0) {
          const after = { till: till.name, new_lines: newLines, changed_lines: changedLines };
          const action = isNew ? 'sales.imported' : 'sales.changed';
          const subject = { kind: 'sales_import', id: record.id };
          writeAudit(store, { actor: context.actor, action, subject, after }, context.now);
        }
        return { tillId, importId: record.id, newLines, changedLines, knownLines: count('known') };
      });
      // Only after the commit: ids of what is rolled back are given again.
      openImports.set(received.tillId, { id: received.importId, day: Math.floor(nowMs / dayMs) });
      return received;
    },
  };
}

function validateLine(line: ApiLine, at: string): SaleLine {
  const text = (field: string, value: string, max: number, min = 0) =>
    validateText(`${at}.${field}`, value, { min, max, from: 'device' });
  const amount = (field: string, value: number | null) =>
    value === null
      ? null
      : validateNumber(`${at}.${field}`, value, { min: -maxAmountMinor, max: maxAmountMinor, whole: true });
  const timeMs = validateNumber(`${at}.time`, line.timeMs, { min: 0, max: timesEndMs - 1 });
  const itemName = text('item_name', line.itemName, maxItemText, 1);
  const seller = text('seller', line.seller ?? '', maxSellerName);
  return {
    externalId: text('external_id', line.externalId, maxIdText),
    checkId: text('check_id', line.checkId, maxIdText),
    timeMs,
    writtenTime: new Date(timeMs).toISOString(),
    itemKey: text('item_key', line.itemKey, maxItemText) || itemName,
    itemName,
    variant: text('variant', line.variant, maxItemText),
    category: text('category', line.category, maxItemText),
    kind: line.kind,
    quantity: validateNumber(`${at}.quantity`, line.quantity, { min: -maxQuantity, max: maxQuantity }),
    grossMinor: amount('gross_minor', line.grossMinor),
    discountMinor: amount('discount_minor', line.discountMinor),
    netMinor: amount('net_minor', line.netMinor),
    ...(seller !== '' && { seller }),
  };
}
