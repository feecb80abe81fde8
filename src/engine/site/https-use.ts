import { change, type EngineParts } from '../shared/parts.ts';

/** Whether staff use HTTPS: from then on it may be required of them. */
export function createHttpsUse(parts: EngineParts) {
  const { store } = parts;
  return {
    /** True once staff have logged in over HTTPS. */
    isUsedByStaff: (): boolean => store.site.isHttpsUsed(),
    /** Records that staff have logged in over HTTPS. */
    markUsed(): void {
      if (!store.site.isHttpsUsed()) change(parts, store.site.setHttpsUsed, 'operation');
    },
  };
}
