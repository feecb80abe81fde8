import { createGrants } from './access/grants.ts';
import { createTokens } from './access/tokens.ts';
import { createUnknownTokens } from './access/unknown-tokens.ts';
import { clockFollowers } from './clock-followers.ts';
import { createClockCorrection } from './drinks/clock-correction.ts';
import { createAssignments } from './drinks/corrections/assign.ts';
import { createDrinks } from './drinks/drinks.ts';
import { createEmptyKegs } from './drinks/empty-kegs.ts';
import { createEvents } from './drinks/events.ts';
import { createMeterLearning } from './drinks/meter-learning.ts';
import { createPours } from './drinks/pours.ts';
import { createSpilledLosses } from './drinks/spilled-losses.ts';
import { createTokenHistory } from './drinks/token-history.ts';
import { createUncertainties } from './drinks/uncertainties.ts';
import { createExtensionServices, type EngineExtensions, type LoadedExtension } from './extension.ts';
import { createCatalogue } from './kegs/catalogue.ts';
import { createKegWeighings } from './kegs/keg-weighings.ts';
import { createKegs } from './kegs/kegs.ts';
import { createMerges } from './kegs/merges.ts';
import { createPriceSchedules } from './kegs/prices/price-schedules.ts';
import { createPrices } from './kegs/prices/prices.ts';
import { createLists } from './lists.ts';
import { createAlarmChannels } from './notifications/alarm-channels.ts';
import { createAlarms } from './notifications/alarms.ts';
import { createMail } from './notifications/mail.ts';
import { createNotifications } from './notifications/notifications.ts';
import { createOutbox } from './notifications/outbox.ts';
import { createPluginData } from './notifications/plugin-data.ts';
import { createWebhooks } from './notifications/webhooks.ts';
import { createDrinkerFigures } from './reports/drinker-figures.ts';
import { createExports } from './reports/exports.ts';
import { createOverview } from './reports/overview.ts';
import { createReports } from './reports/reports.ts';
import { createStatistics } from './reports/statistics.ts';
import { createStatisticsRows } from './reports/statistics-rows.ts';
import { createBalances } from './sales/balance/balances.ts';
import { createPersonBalances } from './sales/balance/by-person.ts';
import { createMoney } from './sales/money.ts';
import { createSales } from './sales/sales.ts';
import { createScales } from './scales/scales.ts';
import { createAudit } from './shared/audit.ts';
import { createCorrections } from './shared/corrections/corrections.ts';
import { byKindName, type UndoKind } from './shared/corrections/undo-kinds.ts';
import { createKegCosts } from './shared/hooks/keg-costs.ts';
import type { EngineParts, GivenParts } from './shared/parts.ts';
import { createPictures } from './shared/pictures.ts';
import { createRecordingHooks } from './shared/recording-hooks.ts';
import { checkDatabase } from './site/check-database.ts';
import { createDemoAccount } from './site/demo-account.ts';
import { createDiskWrites } from './site/disk-writes.ts';
import { createFeatures } from './site/features.ts';
import { createFirstSteps } from './site/first-steps.ts';
import { createHttpsUse } from './site/https-use.ts';
import { createSiteService } from './site/site.ts';
import { createHardware } from './taps/hardware.ts';
import { createLineHealth } from './taps/line-health.ts';
import { createPinEntries } from './taps/pin-entries.ts';
import { createTapFacts } from './taps/tap-facts.ts';
import { createTaps } from './taps/taps.ts';
import { createLineTemperatures } from './temperatures/line-temperatures.ts';
import { createTemperatureSheets } from './temperatures/temperature-sheet.ts';
import { createThermo } from './temperatures/thermo.ts';
import { createThermoHistory } from './temperatures/thermo-history.ts';
import { undoKinds } from './undo-kinds.ts';
import { createAccountHelp } from './users/account-help.ts';
import { createAccountLinks } from './users/account-links.ts';
import { createAccounts } from './users/accounts.ts';
import { createInvitations } from './users/invitations.ts';
import { createKeyUses } from './users/keys/key-uses.ts';
import { createOwnKeys } from './users/keys/own-keys.ts';
import { createLoginLog } from './users/login-log/login-log.ts';
import { createLogins } from './users/logins.ts';
import { createPasswords } from './users/passwords/passwords.ts';
import { createPersonalData } from './users/personal-data.ts';
import { createPins } from './users/pins/pins.ts';
import { createRegistration } from './users/registration.ts';
import { createSetup } from './users/setup.ts';
import { createTablets } from './users/tablets.ts';
import { createUsers } from './users/users.ts';

/**
 * Creates all services over one store, with those of the extensions that are on; `bus` receives every change after its
 * commit.
 */
export function createEngine(given: GivenParts, extensions: EngineExtensions = { all: [], loaded: [] }) {
  const kinds = new Map<string, UndoKind>();
  const recordingHooks = createRecordingHooks();
  const kegCosts = createKegCosts();
  const parts: EngineParts = { ...given, correctionKinds: kinds, hooks: recordingHooks, kegCosts };
  const running = createExtensionServices(parts);
  const useExtensions = (loaded: readonly LoadedExtension[]): void => {
    running.use(loaded);
    recordingHooks.use(running.hooksInOrder());
    kegCosts.use(running.hooksInOrder());
    kinds.clear();
    for (const [name, kind] of byKindName([...undoKinds, ...loaded.flatMap((one) => one.undoKinds)]))
      kinds.set(name, kind);
  };
  useExtensions(extensions.loaded);
  parts.store.eventReceivers.useForNews(running.hooks.newsReceivers);
  const keyUses = createKeyUses(parts.store);
  const users = createUsers(parts, keyUses);
  const logins = createLogins(parts);
  const pins = createPins(parts);
  const tokens = createTokens(parts, running.hooks);
  const registration = createRegistration(parts, users);
  const hardware = createHardware(parts);
  const kegs = createKegs(parts);
  const uncertainties = createUncertainties(parts.store);
  const taps = createTaps(parts);
  const reports = createReports(parts);
  return {
    pours: createPours(parts),
    drinks: createDrinks(parts),
    assignments: createAssignments(parts, { registration, tokens }),
    tokenHistory: createTokenHistory(parts),
    kegs,
    kegWeighings: createKegWeighings(parts),
    emptyKegs: createEmptyKegs(parts, kegs),
    meterLearning: createMeterLearning(parts),
    catalogue: createCatalogue(parts),
    merges: createMerges(parts),
    prices: createPrices(parts),
    priceSchedules: createPriceSchedules(parts),
    lists: createLists(parts),
    statistics: createStatistics(parts),
    drinkerFigures: createDrinkerFigures(parts),
    statisticsRows: createStatisticsRows(parts),
    personBalances: createPersonBalances(parts),
    taps,
    tapFacts: createTapFacts(parts),
    spilledLosses: createSpilledLosses(parts),
    lineHealth: createLineHealth(parts, taps),
    hardware,
    pinEntries: createPinEntries(parts, hardware),
    thermo: createThermo(parts),
    thermoHistory: createThermoHistory(parts),
    lineTemperatures: createLineTemperatures(parts),
    temperatureSheets: createTemperatureSheets(parts),
    users,
    setup: createSetup(parts, users),
    tokens,
    unknownTokens: createUnknownTokens(parts),
    passwords: createPasswords(parts),
    logins,
    loginLog: createLoginLog(parts),
    demoAccount: createDemoAccount(parts, users),
    pins,
    tablets: createTablets(parts),
    ownKeys: createOwnKeys(parts, keyUses),
    accountLinks: createAccountLinks(parts),
    invitations: createInvitations(parts),
    registration,
    site: createSiteService(parts),
    diskWrites: createDiskWrites(parts),
    features: createFeatures(parts, extensions.all, running),
    /** Switches the extensions that are on; what the others have in memory stays. */
    useExtensions,
    /** The services of an extension that is on; `feature_off` while it is off. */
    serviceOf: running.serviceOf,
    /** The same; null while it is off. */
    findService: running.findService,
    /** What the extensions that are on add to the base. */
    hooks: running.hooks,
    firstSteps: createFirstSteps(parts),
    httpsUse: createHttpsUse(parts),
    pictures: createPictures(parts),
    clockCorrection: createClockCorrection(parts, () => [
      ...clockFollowers,
      ...running.all().flatMap((one) => one.clockFollowers),
    ]),
    events: createEvents(parts),
    audit: createAudit(parts),
    corrections: createCorrections(parts, kinds, running.hooks),
    accounts: createAccounts(parts, running.hooks, { logins, pins }),
    accountHelp: createAccountHelp(parts, logins, keyUses),
    personalData: createPersonalData(parts, running.hooks),
    grants: createGrants(parts),
    outbox: createOutbox(parts, () =>
      extensions.all
        .filter(({ name }) => !running.names().includes(name))
        .flatMap(({ outboxKinds = [] }) => outboxKinds),
    ),
    mail: createMail(parts),
    notifications: createNotifications(parts),
    webhooks: createWebhooks(parts),
    pluginData: createPluginData(parts),
    alarms: createAlarms(parts),
    alarmChannels: createAlarmChannels(parts),
    exports: createExports(parts),
    reports,
    sales: createSales(parts),
    balances: createBalances(parts),
    money: createMoney(parts, reports),
    uncertainties,
    scales: createScales(parts, uncertainties, running.hooks.publishesTo),
    overview: createOverview(parts),
    /** Compares stored totals with their sums; an empty list means that all agree. */
    checkDatabase: () => checkDatabase(parts.store),
  };
}
