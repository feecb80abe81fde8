import {
  type FlagSetting,
  flag,
  type LineSetting,
  line,
  lineFault,
  listSettings,
  plainSettingFault,
  type SettingFault,
  type SettingValues,
  settingDefaults,
} from '../../../core/settings/setting-declarations.ts';

const address = '^(?:https?://[^\\s/?#@]+(?:/[^\\s?#]*)?)?$';

/** The settings of the menu on the bar's own web space; declared only here. */
export const menuPublicationSettings = {
  isEnabled: flag('enabled', false, 'Publish the menu after each change, at most once a minute.'),
  url: line({
    name: 'url',
    maxLength: 1_024,
    pattern: address,
    allowed: 'must be the address of a folder, https:// or http://, without user, password and query',
    description:
      'Address of the folder on the web space, to which files are written by HTTP `PUT` (WebDAV, for example). The folder is ' +
      'made where the server allows it (`MKCOL`).',
  }),
  username: line({
    name: 'username',
    maxLength: 256,
    pattern: '^[^:]*$',
    allowed: 'must not contain a colon',
    description: 'User of the web space (HTTP Basic); empty: none.',
  }),
  password: line({
    name: 'password',
    maxLength: 1_024,
    secret: true,
    description: 'Password of that user. It is never shown.',
  }),
  publicUrl: line({
    name: 'public_url',
    maxLength: 1_024,
    pattern: address,
    allowed: 'must be a web address, https:// or http://',
    description:
      'Where guests read the menu, if that is another address than the folder’s: the QR codes lead there once the menu is published.',
  }),
} as const;

export type MenuPublicationSettingName = keyof typeof menuPublicationSettings;
export type MenuPublicationSetting = FlagSetting | LineSetting;

/** A value for every setting. */
export type MenuPublicationSettings = SettingValues<typeof menuPublicationSettings>;

/** The declarations in order, with their internal names. */
export const menuPublicationSettingList: readonly (readonly [
  MenuPublicationSettingName,
  MenuPublicationSetting,
])[] = listSettings(menuPublicationSettings);

export const menuPublicationDefaults = settingDefaults(menuPublicationSettings);

/** Why a value does not fit a setting; null when it fits. */
export const menuPublicationFault = (setting: MenuPublicationSetting, value: unknown): SettingFault | null =>
  setting.kind === 'text' ? lineFault(setting, value) : plainSettingFault(setting, value);
