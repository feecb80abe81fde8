import type { Engine } from '../../../../engine/engine.ts';
import { productVersion } from '../../../../system/product.ts';
import type { StateMessage } from '../state-messages.ts';
import type { Topics } from '../topics.ts';
import {
  type EntitySettings,
  type EntityTimes,
  entitiesOfMachine,
  entitiesOfTap,
  type MachineFacts,
} from './home-assistant-entities.ts';

/** What Home Assistant publishes when it starts: `online`, not retained. */
export const birthTopic = (prefix: string): string => `${prefix}/status`;

const unsafe = /[^A-Za-z0-9_-]/g;

/**
 * The discovery messages for Home Assistant from 2024.11 on: one for the machine and one for each tap. They are retained like
 * the state, so that those of removed taps are deleted.
 */
export function toDiscoveryMessages(
  engine: Engine,
  topics: Topics,
  { siteId, ...settings }: EntitySettings & EntityTimes & MachineFacts & { readonly siteId: string },
): StateMessage[] {
  const { title } = engine.users.site();
  const site = `tapster_${siteId.replaceAll(unsafe, '_')}`;
  const origin = { name: 'Tapster', sw: productVersion() };
  const availability = [{ t: topics.availability }];
  const device = (
    id: string,
    dev: object,
    stateTopic: string,
    entities: Readonly<Record<string, object>>,
  ): StateMessage => ({
    topic: `${settings.discoveryPrefix}/device/${id}/config`,
    payload: JSON.stringify({
      dev: { ids: [id], mf: 'Tapster', ...dev },
      o: origin,
      avty: availability,
      stat_t: stateTopic,
      cmps: Object.fromEntries(
        Object.entries(entities).map(([key, entity]) => [
          key,
          'name' in entity ? { ...entity, unique_id: `${id}_${key}` } : entity,
        ]),
      ),
    }),
  });
  const machine = device(
    site,
    { name: title, sw: productVersion() },
    topics.state,
    entitiesOfMachine(settings, topics),
  );
  const taps = engine.taps.list().map((view) =>
    device(
      `${site}_tap${view.tap.id}`,
      { name: view.tap.name, via_device: site },
      topics.tapState(view.tap.id),
      entitiesOfTap(view, topics, {
        ...settings,
        hasAddress: engine.notifications.mail.settings().baseUrl !== '',
      }),
    ),
  );
  // The machine first: the taps refer to it. Without its state it still is the device that they belong to.
  return settings.publishesState ? [machine, ...taps] : [machine];
}
