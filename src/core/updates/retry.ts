import type { UpdaterState } from './update-state.ts';

/** What can be tried again. */
export type Retry =
  /** The trial of a version whose package is unpacked. */
  | { readonly kind: 'trial'; readonly version: string }
  /** Download and installation of a package. */
  | { readonly kind: 'install'; readonly version: string }
  | { readonly kind: 'under way' | 'nothing' };

/** What ended last and did not go well; `running` is the version that the link names. */
export function findRetry({ update, next, install, last }: UpdaterState, running: string | null): Retry {
  if (update !== null || next !== null || (install !== null && install.phase !== 'failed'))
    return { kind: 'under way' };
  if (install !== null && install.version !== running && (last === null || install.wallMs >= last.wallMs))
    return { kind: 'install', version: install.version };
  if (last === null || last.outcome === 'done' || last.to === running) return { kind: 'nothing' };
  return { kind: 'trial', version: last.to };
}
