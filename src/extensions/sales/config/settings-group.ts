import { Text } from '../../../config/schema-builders.ts';
import { defineSettings, type SettingsOf } from '../../../config/settings-group.ts';

/** Where files of tills arrive by themselves. */
export const salesGroup = defineSettings({
  name: 'sales',
  properties: {
    folder: Text({
      minLength: 0,
      maxLength: 4096,
      default: '',
      description:
        'A folder whose files are imported as sales, each till’s in a folder with the name of the till. Empty: none. The service needs permission to read there, which it does not have in home folders.',
    }),
  },
});

export type SalesSettings = SettingsOf<typeof salesGroup>;
