import type { TopicSubscriber } from '../../../engine/shared/hooks/topic-subscriber.ts';
import { maxWeightBytes, parseWeight } from '../core/weight-payload.ts';
import type { Scales } from './scales.ts';

/** Receives the weights of scales from the topics that staff set; at most one per second and scale is taken. */
export const subscribeToWeights = (scales: Scales): TopicSubscriber => ({
  topics: () => scales.topics().map(({ topic }) => topic),
  receive(topic, payload, now) {
    const text = payload.length > maxWeightBytes ? null : new TextDecoder().decode(payload);
    for (const scale of scales.topics()) {
      if (scale.topic !== topic) continue;
      const message =
        text === null ? ({ kind: 'broken', fault: 'too_long' } as const) : parseWeight(text, scale);
      if (message.kind === 'broken') scales.noteBroken(scale.id, message.fault, now);
      else scales.receive(scale.id, message, now);
    }
  },
  noteRefused: scales.noteRefusedTopics,
});
