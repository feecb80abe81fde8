import { AppError } from '../../core/app-error.ts';
import type { Clock, IdSource } from '../../core/clock/moment.ts';
import { chooseMailTexts } from '../mail/mail-language.ts';
import { type ChannelSenderParts, createChannelSender } from './send-to-channel.ts';

/** Sends a test message through a channel directly, without the outbox. */
export function createChannelTester(
  parts: ChannelSenderParts & { readonly clock: Clock; readonly ids: IdSource },
) {
  const { engine: getEngine, clock, ids } = parts;
  const sendToChannel = createChannelSender(parts);
  return {
    /** Rejects with `not_found`, or with `conflict` and the reason if the message was not accepted. */
    async sendTest(id: number): Promise<void> {
      const engine = getEngine();
      const channel = engine.notifications.alarmChannels.target(
        engine.notifications.alarmChannels.get(id).id,
      )!;
      const texts = chooseMailTexts(channel.language, engine.users.site());
      const outcome = await sendToChannel({
        channel,
        message: {
          event: 'raised',
          urgency: 'low',
          title: texts.t('mails.alarm.test'),
          paragraphs: [texts.t('mails.alarm.testText', { site: engine.users.site().title })],
          acknowledge: null,
        },
        texts,
        uid: `test-${ids.next()}`,
        nowMs: clock.now().wallMs,
        signal: new AbortController().signal,
      });
      if (outcome.kind !== 'sent') throw new AppError('conflict', outcome.problem);
    },
  };
}
