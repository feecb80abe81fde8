import type { ControllerHooks } from '../../src/engine/controller-hooks.ts';
import type { LoadedExtension } from '../../src/engine/engine.ts';

/** An extension with controllers that report by themselves; `told` is what the base has told it. */
export function reportingControllers(
  known: Partial<Pick<ControllerHooks, 'reportingControllers' | 'shownPours'>>,
) {
  const told: (readonly unknown[])[] = [];
  const extension: LoadedExtension = {
    name: 'reporting',
    createServices: () => null,
    hooks: () => ({
      ...known,
      closeTaps: (_now, device) => void told.push(['closeTaps', device]),
      endUserGrants: (username, _now, token) => void told.push(['endUserGrants', username, token?.value]),
    }),
  };
  return { extension, told };
}
