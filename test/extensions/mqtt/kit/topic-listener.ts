import type { LoadedExtension } from '../../../../src/engine/extension.ts';

/** An extension that wants topics of the broker, and keeps what it gets. */
export function createTopicListener() {
  const topics = new Set<string>();
  const received: { readonly topic: string; readonly text: string }[] = [];
  let refused: readonly string[] = [];
  const extension: LoadedExtension = {
    name: 'listener',
    createServices: () => null,
    hooks: () => ({
      topicSubscriber: {
        topics: () => [...topics],
        receive: (topic, payload) => void received.push({ topic, text: new TextDecoder().decode(payload) }),
        noteRefused(all) {
          refused = [...all].filter((topic) => topics.has(topic));
        },
      },
    }),
  };
  return { extension, topics, received, refused: () => refused };
}
