import type { EngineParts } from '../shared/parts.ts';
import { createAlarmChannels } from './alarm-channels.ts';
import { createAlarms } from './alarms.ts';
import { createMail } from './mail.ts';
import { createNotifications } from './notifications.ts';
import { createOutbox } from './outbox.ts';
import { createPluginData } from './plugin-data.ts';
import { createWebhooks } from './webhooks.ts';

/** Who is told what, and what waits to be sent; `unsentKinds` are the messages of features that are off. */
export const createNotificationServices = (parts: EngineParts, unsentKinds: () => readonly string[]) => ({
  ...createNotifications(parts),
  outbox: createOutbox(parts, unsentKinds),
  mail: createMail(parts),
  webhooks: createWebhooks(parts),
  pluginData: createPluginData(parts),
  alarms: createAlarms(parts),
  alarmChannels: createAlarmChannels(parts),
});
