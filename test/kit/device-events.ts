import { allExtensions } from './extensions.ts';

/** Whether the program has the API to which boards, and other Pis, report; an extension that reports there has no receiver without. */
export const servesDeviceEvents = allExtensions.http.apis.some(({ paths }) =>
  paths.includes('/api/device-event'),
);
