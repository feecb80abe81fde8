import { createAccountLinks } from './accounts/account-links.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createInvitations } from './accounts/invitations.ts';
import { createLogins } from './accounts/logins.ts';
import { createOwnKeys } from './accounts/own-keys.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createPins } from './accounts/pins.ts';
import { createRegistration } from './accounts/registration.ts';
import { createSetup } from './accounts/setup.ts';
import { createTablets } from './accounts/tablets.ts';
import { createUsers } from './accounts/users.ts';
import { createAudit } from './audit.ts';
import { createKegboards } from './boards/kegboards.ts';
import { createCatalogue } from './catalogue.ts';
import { checkDatabase } from './check-database.ts';
import { createClockCorrection } from './clock-correction.ts';
import { createDrinks } from './drinks.ts';
import type { Engine } from './engine.ts';
import { createEvents } from './events.ts';
import { createExports } from './figures/exports.ts';
import { createLists } from './figures/lists.ts';
import { createOverview } from './figures/overview.ts';
import { createReports } from './figures/reports.ts';
import { createStatistics } from './figures/statistics.ts';
import { createTapFacts } from './figures/tap-facts.ts';
import { createThermoHistory } from './figures/thermo-history.ts';
import { createGrants } from './grants.ts';
import { createHardware } from './hardware.ts';
import { createKegs } from './kegs.ts';
import { createAlarms } from './outbox/alarms.ts';
import { createMail } from './outbox/mail.ts';
import { createNotifications } from './outbox/notifications.ts';
import { createOutbox } from './outbox/outbox.ts';
import { createPluginData } from './outbox/plugin-data.ts';
import { createUpstream } from './outbox/upstream.ts';
import { createWebhooks } from './outbox/webhooks.ts';
import type { EngineParts } from './parts.ts';
import { createPictures } from './pictures.ts';
import { createPours } from './pours.ts';
import { createSiteService } from './site.ts';
import { createTaps } from './taps.ts';
import { createThermo } from './thermo.ts';
import { createTokens } from './tokens.ts';

/** Creates all services over one store; `bus` receives every change after its commit. */
export function createEngine(parts: EngineParts): Engine {
  const users = createUsers(parts);
  const kegboards = createKegboards(parts);
  const logins = createLogins(parts);
  return {
    pours: createPours(parts),
    drinks: createDrinks(parts),
    kegs: createKegs(parts),
    catalogue: createCatalogue(parts),
    lists: createLists(parts),
    statistics: createStatistics(parts),
    taps: createTaps(parts),
    tapFacts: createTapFacts(parts),
    hardware: createHardware(parts),
    thermo: createThermo(parts),
    thermoHistory: createThermoHistory(parts),
    users,
    setup: createSetup(parts, users),
    tokens: createTokens(parts, kegboards),
    passwords: createPasswords(parts),
    logins,
    pins: createPins(parts),
    tablets: createTablets(parts),
    ownKeys: createOwnKeys(parts),
    accountLinks: createAccountLinks(parts),
    invitations: createInvitations(parts),
    registration: createRegistration(parts, users),
    site: createSiteService(parts),
    pictures: createPictures(parts),
    clockCorrection: createClockCorrection(parts),
    events: createEvents(parts),
    audit: createAudit(parts),
    kegboards,
    accounts: createAccounts(parts, kegboards, logins),
    grants: createGrants(parts),
    outbox: createOutbox(parts),
    mail: createMail(parts),
    notifications: createNotifications(parts),
    webhooks: createWebhooks(parts),
    pluginData: createPluginData(parts),
    alarms: createAlarms(parts),
    upstream: createUpstream(parts),
    exports: createExports(parts),
    reports: createReports(parts),
    overview: createOverview(parts),
    checkDatabase: () => checkDatabase(parts.store),
  };
}
