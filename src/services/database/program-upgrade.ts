import { extensions } from '../../extensions/all.ts';
import type { Upgrade } from '../../store/database.ts';
import type { StoreExtension } from '../../store/extension.ts';
import { schemaStepsWith } from '../../store/schema/migrations.ts';
import { productVersion } from '../../system/product.ts';

/** The extensions of this program, as far as a database needs them. */
export const programExtensions: readonly StoreExtension[] = extensions;

/** What this program makes of a database: its version, and the schema of base and extensions. */
export const programUpgrade = (): Upgrade & Required<Pick<Upgrade, 'steps'>> => ({
  programVersion: productVersion(),
  steps: schemaStepsWith(extensions),
});
