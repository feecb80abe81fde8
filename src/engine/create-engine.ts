import { createAccessServices } from './access/access-services.ts';
import { clockFollowers } from './clock-followers.ts';
import { createDrinkServices } from './drinks/drink-services.ts';
import { createExtensionServices, type EngineExtensions, type LoadedExtension } from './extension.ts';
import { createKegServices } from './kegs/keg-services.ts';
import { createLists } from './lists.ts';
import { createNotificationServices } from './notifications/notification-services.ts';
import { createReportServices } from './reports/report-services.ts';
import { createAudit } from './shared/audit.ts';
import { createCorrections } from './shared/corrections/corrections.ts';
import { byKindName } from './shared/corrections/undo-kinds.ts';
import { createKegCosts } from './shared/hooks/keg-costs.ts';
import type { EngineParts, GivenParts } from './shared/parts.ts';
import { createPictures } from './shared/pictures.ts';
import { createRecordingHooks } from './shared/recording-hooks.ts';
import { createSiteServices } from './site/site-services.ts';
import { createTapServices } from './taps/tap-services.ts';
import { createTemperatureServices } from './temperatures/temperature-services.ts';
import { undoKinds } from './undo-kinds.ts';
import { createUserServices } from './users/user-services.ts';

/**
 * Creates the services of each subject over one store, with those of the extensions that are on; `bus` receives every change after its
 * commit.
 */
export function createEngine(given: GivenParts, extensions: EngineExtensions = { all: [], loaded: [] }) {
  const { keptData = [] } = extensions;
  const kinds = byKindName([...undoKinds, ...keptData.flatMap((one) => one.undoKinds)]);
  const recordingHooks = createRecordingHooks(
    keptData.flatMap(({ setAsidePours }) => setAsidePours.map((create) => create(given.store))),
  );
  const kegCosts = createKegCosts();
  const parts: EngineParts = {
    ...given,
    correctionKinds: kinds,
    hooks: recordingHooks,
    kegCosts,
    publishesTo: (topic) => running.hooks.publishesTo(topic),
  };
  const running = createExtensionServices(parts);
  const useExtensions = (loaded: readonly LoadedExtension[]): void => {
    running.use(loaded);
    recordingHooks.use(running.hooksInOrder());
    kegCosts.use(running.hooksInOrder());
  };
  useExtensions(extensions.loaded);
  parts.store.notifications.eventReceivers.useForNews(running.hooks.newsReceivers);
  const users = createUserServices(parts, running.hooks);
  const kegs = createKegServices(parts);
  const access = createAccessServices(parts, running.hooks);
  const drinks = createDrinkServices(parts, {
    registration: users.registration,
    tokens: access.tokens,
    kegs,
    clockFollowers: [...clockFollowers, ...keptData.flatMap((one) => one.clockFollowers)],
  });
  const reports = createReportServices(parts);
  const isOff = ({ name }: { readonly name: string }): boolean => !running.names().includes(name);
  return {
    users,
    kegs,
    taps: createTapServices(parts),
    temperatures: createTemperatureServices(parts),
    access,
    drinks,
    reports,
    notifications: createNotificationServices(parts, () =>
      extensions.all.filter(isOff).flatMap(({ outboxKinds = [] }) => outboxKinds),
    ),
    site: createSiteServices(parts, { users, extensions: extensions.all, running }),
    /** Long lists of every subject. */
    lists: createLists(parts),
    pictures: createPictures(parts),
    audit: createAudit(parts),
    corrections: createCorrections(parts, kinds, running.hooks),
    /** Switches the extensions that are on; what the others have in memory stays. */
    useExtensions,
    /** The services of an extension that is on; `feature_off` while it is off. */
    serviceOf: running.serviceOf,
    /** The same; null while it is off. */
    findService: running.findService,
    /** What the extensions that are on add to the base. */
    hooks: running.hooks,
  };
}
