import { AppError } from '../../../src/core/app-error.ts';
import type { UpdateRequest } from '../../../src/core/updates/update-request.ts';
import { emptyState, type UpdateResult } from '../../../src/core/updates/update-state.ts';
import { noUpdateCheck, viewUpdates } from '../../../src/core/updates/updates-view.ts';
import type { UpdatesAdmin } from '../../../src/http/updates-ports.ts';
import { productVersion } from '../../../src/system/product.ts';

const releasedMs = Date.UTC(2026, 4, 2, 9);
const last: UpdateResult = {
  kind: 'update',
  from: '0.0.9',
  to: productVersion(),
  outcome: 'done',
  reason: null,
  detail: '',
  backup: null,
  wallMs: releasedMs,
};
const available = {
  version: '9.0.0',
  releasedMs,
  sizeBytes: 31_457_280,
  notes: { en: 'Kegs can be ordered by their age.' },
};

/** The versions of a package with an earlier version and a newer one; requests stay until the end of the test. */
export function workingUpdates(): UpdatesAdmin {
  let request: UpdateRequest | null = null;
  let planned: string | null = null;
  return {
    view: () =>
      viewUpdates({
        running: productVersion(),
        isPackage: true,
        releases: [productVersion(), '0.0.9'],
        state: { ...emptyState, last },
        request,
        check: {
          ...noUpdateCheck,
          hasAddress: true,
          lastCheckedMs: releasedMs,
          available,
          planned,
        },
      }),
    switchTo(version) {
      if (version !== '0.0.9')
        throw new AppError('conflict', 'There is no such version.', {
          reason: { name: 'release_not_kept', version },
        });
      request = { action: 'switch', version };
    },
    install(when) {
      if (when === 'now') request = { action: 'install', manifest: 'AA==', signature: 'AA==' };
      else planned = available.version;
    },
    cancelPlan() {
      planned = null;
    },
    checkNow: async () => {},
  };
}
