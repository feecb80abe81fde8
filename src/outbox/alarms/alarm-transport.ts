import type { Clock } from '../../core/clock/moment.ts';
import { createProblem } from '../../core/health/problems.ts';
import type { AlarmNote } from '../../engine/engine.ts';
import { chooseMailTexts } from '../mail/mail-language.ts';
import type { Transport } from '../transport.ts';
import { renderAlarmMessage } from './alarm-message.ts';
import { type ChannelSenderParts, createChannelSender } from './send-to-channel.ts';

/** Each channel has its own queue; a slow one must not delay the others. */
const maxConcurrent = 5;

/** Sends messages about alarms through the channels that staff have set up. */
export function createAlarmTransport(parts: ChannelSenderParts & { readonly clock: Clock }): Transport {
  const { engine: getEngine, clock } = parts;
  const sendToChannel = createChannelSender(parts);
  return {
    kind: 'alarm',
    maxConcurrent,
    async send({ target, payload, uid }, signal) {
      const engine = getEngine();
      const channel = engine.notifications.alarmChannels.target(Number(target.replace('channel:', '')));
      if (channel === null) return { kind: 'skipped', problem: createProblem('message_channel_removed') };
      if (!channel.isReachable) return { kind: 'skipped', problem: createProblem('message_channel_off') };
      const note = JSON.parse(payload) as AlarmNote;
      const site = engine.users.site();
      const texts = chooseMailTexts(channel.language, site);
      const { baseUrl } = engine.notifications.mail.settings();
      const message = renderAlarmMessage(engine, { target, note }, { site, texts, baseUrl });
      if (message === null) return { kind: 'skipped', problem: createProblem('message_alarm_over') };
      return sendToChannel({ channel, message, texts, uid, nowMs: clock.now().wallMs, signal });
    },
  };
}
