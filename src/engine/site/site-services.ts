import type { EngineParts } from '../shared/parts.ts';
import type { Users } from '../users/users.ts';
import { checkDatabase } from './check-database.ts';
import { createDemoAccount } from './demo-account.ts';
import { createDiskWrites } from './disk-writes.ts';
import { createFeatures } from './features.ts';
import { createFirstSteps } from './first-steps.ts';
import { createHttpsUse } from './https-use.ts';
import { createOldRecords } from './old-records.ts';
import { createSiteService } from './site.ts';

/** Services of other subjects, all extensions of the program, and those that are on. */
interface Given {
  readonly users: Users;
  readonly extensions: Parameters<typeof createFeatures>[1];
  readonly running: Parameters<typeof createFeatures>[2];
}

/** Settings of the bar, and what concerns the whole daemon. */
export const createSiteServices = (parts: EngineParts, { users, extensions, running }: Given) => ({
  ...createSiteService(parts),
  features: createFeatures(parts, extensions, running),
  firstSteps: createFirstSteps(parts),
  demoAccount: createDemoAccount(parts, users),
  httpsUse: createHttpsUse(parts),
  oldRecords: createOldRecords(parts),
  diskWrites: createDiskWrites(parts),
  /** Compares stored totals with their sums; an empty list means that all agree. */
  checkDatabase: () => checkDatabase(parts.store),
});
