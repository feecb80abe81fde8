import { findText } from '../../locales/locale.ts';

/** A value that came alone matches a token of any kind. */
const defaultDevice = 'core.rfid';

/** Kind of reader of a card; that of most cards when its value came alone. */
export const deviceOf = ({ auth_device: device }: { readonly auth_device: string }): string =>
  device || defaultDevice;

/** Name of a kind of reader; unknown kinds keep their name of the API. */
export const deviceName = (device: string): string =>
  findText('tokens.devices', device.replaceAll('.', '_')) ?? device;
