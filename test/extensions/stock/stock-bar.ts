import { stock } from '../../../src/extensions/stock/extension.ts';
import { openBar } from '../../engine/bar.ts';
import { switchOn } from '../../kit/extensions.ts';

const switchedOn = await switchOn([stock]);

/** The bar with this extension on; its services are beside those of the engine. */
export function openBarWithStock() {
  const bar = openBar(':memory:', {}, switchedOn);
  const { counts: stockCounts, ...services } = bar.engine.serviceOf(stock);
  return { ...bar, engine: { ...bar.engine, ...services, stockCounts } };
}
