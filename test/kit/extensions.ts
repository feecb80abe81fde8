import { loadExtensions } from '../../src/engine/engine.ts';
import { extensions } from '../../src/extensions/all.ts';
import { type Extension, loadHttpExtensions } from '../../src/extensions/extension.ts';

/** Extensions that are on in a test, loaded for the store, the engine and HTTP. */
export async function switchOn(all: readonly Extension[]) {
  return { all, engine: await loadExtensions(all), http: await loadHttpExtensions(all) };
}

export type SwitchedOn = Awaited<ReturnType<typeof switchOn>>;

/** Every extension of the program; for tests of the whole API. */
export const allExtensions = await switchOn(extensions);
