import type { Engine } from '../../../src/engine/engine.ts';
import { cleaning } from '../../../src/extensions/cleaning/extension.ts';
import { withCleanings } from '../../../src/extensions/cleaning/store/cleaning-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { openBar } from '../../engine/bar.ts';
import { switchOn } from '../../kit/extensions.ts';

/** The extension alone, switched on. */
export const cleaningOn = await switchOn([cleaning]);

/** A bar with the services and tables of the extension beside those of the base. */
export const withCleaning = <B extends { readonly engine: Engine; readonly store: Store }>(bar: B) => ({
  ...bar,
  engine: { ...bar.engine, ...bar.engine.serviceOf(cleaning) },
  store: withCleanings(bar.store),
});

/** The bar of the engine's tests with the extension. */
export const openCleaningBar = (file = ':memory:') => withCleaning(openBar(file, {}, cleaningOn));
