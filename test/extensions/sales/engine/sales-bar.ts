import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemActor } from '../../../../src/engine/engine.ts';
import {
  type SalesFormat,
  type SalesPreset,
  salesPresetFormats,
} from '../../../../src/extensions/sales/core/sales-format.ts';
import type { SalesFiles } from '../../../../src/extensions/sales/engine/imports/join-dsfinvk.ts';
import { sales as extension } from '../../../../src/extensions/sales/extension.ts';
import { withSales } from '../../../../src/extensions/sales/store/sales-store.ts';
import { at, openBar } from '../../../engine/bar.ts';
import { type SwitchedOn, switchOn } from '../../../kit/extensions.ts';

export const sample = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`samples/${name}`, import.meta.url)));

/** The format of a preset, with what is asked. */
export const formatOf = (preset: SalesPreset, asked: Partial<SalesFormat> = {}): SalesFormat => ({
  ...salesPresetFormats[preset],
  dateOrder: salesPresetFormats[preset].dateOrder ?? 'ymd',
  timeMeaning: salesPresetFormats[preset].timeMeaning ?? 'ring',
  timeZone: 'Europe/Berlin',
  ...asked,
});

export const genericFormat = formatOf('generic', { delimiter: ';', decimalSign: ',', dateOrder: 'dmy' });

export const context = { actor: systemActor, now: at(0) };
export const pause = async (): Promise<void> => {};
export const allTime = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

/** The extension alone, switched on. */
export const salesOn = await switchOn([extension]);

/** The bar of the engine's tests with the services and tables of the extension, and Lager at a till. */
export function openSalesBar(file?: string, switchedOn: SwitchedOn = salesOn) {
  const base = openBar(file, {}, switchedOn);
  const bar = {
    ...base,
    engine: { ...base.engine, ...base.engine.serviceOf(extension) },
    store: withSales(base.store),
  };
  const { sales } = bar.engine;
  const till = sales.tills.create('Front', context, { includedTaxBasisPoints: 0 });
  const beverageId = bar.keg.beverageId;
  const sizes = bar.engine.kegs.prices.servingSizes();
  const importCsv = (
    main: string | Buffer,
    {
      format = genericFormat,
      tillId = till.id,
      pause: ownPause = pause,
      ...files
    }: { format?: SalesFormat; tillId?: number; pause?: () => Promise<void> } & Partial<SalesFiles> = {},
  ) =>
    sales.imports.importFile(
      {
        tillId,
        format,
        files: { ...files, main: Buffer.from(main) },
        fileName: 'day.csv',
        source: 'file',
        pause: ownPause,
      },
      context,
    );
  const undo = (id: number) => sales.imports.undo(id, pause, context);
  /** Maps a product, found by its name and variant. */
  const map = (name: string, variant: string, liquidMl: number, sinceMs?: number) => {
    const item = sales.tills.items(till.id).find((one) => one.name === name && one.variant === variant)!;
    const components = [{ beverageId, sizeId: null, count: 1, liquidMl }];
    return sales.tills.mapItem(item.id, { components, ...(sinceMs !== undefined && { sinceMs }) }, context);
  };
  const rows = () =>
    sales
      .lines({})
      .items.map(({ id: _id, importId: _import, ...line }) => line)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  return { ...bar, sales, till, beverageId, sizes, importCsv, undo, map, rows };
}
