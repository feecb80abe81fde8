import type { Engine } from '../../../src/engine/engine.ts';
import { scales } from '../../../src/extensions/scales/extension.ts';
import { withScales } from '../../../src/extensions/scales/store/scales-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { openBar } from '../../engine/bar.ts';
import { switchOn } from '../../kit/extensions.ts';

/** The extension alone, switched on. */
export const scalesOn = await switchOn([scales]);

/** A bar with the scales and their tables beside the services and tables of the base. */
export const withScalesOf = <B extends { readonly engine: Engine; readonly store: Store }>(bar: B) => ({
  ...bar,
  engine: { ...bar.engine, scales: bar.engine.serviceOf(scales).scales },
  store: withScales(bar.store),
});

/** The bar of the engine's tests with the extension. */
export const openBarWithScales = (file = ':memory:') => withScalesOf(openBar(file, {}, scalesOn));
