import { hostname } from 'node:os';
import { normalizeHostName, toLocalName } from '../core/certificates/certificate-names.ts';
import { loadConfig } from '../daemon/load-config.ts';
import { authorityFile, readAuthority } from '../services/https/certificate-files.ts';
import { toInstallable } from '../services/https/https-admin.ts';
import { localUrl, reachableUrls } from '../system/own-addresses.ts';
import { type Command, configOption, readArgs } from './command.ts';
import { exitCodes } from './exit-codes.ts';

/** Prints what people compare before they install the authority. */
export const httpsCommand: Command = {
  help: `Usage: tapster https [--config FILE]

Prints the address of the page over HTTPS, and name, end and SHA-256 fingerprint of this machine's authority. Compare
the fingerprint with the one that a device shows before it trusts the authority.

Exit codes: 0 printed, 1 there is no authority yet, 77 its file cannot be read, 78 faults in the configuration.
`,
  async run(args, io) {
    const { values } = readArgs(args, configOption);
    const { config, isDemo } = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    if (isDemo || !config.https.enabled) {
      io.err('HTTPS is off.\n');
      return exitCodes.checkFailed;
    }
    const stored = readAuthority(config.database);
    if (stored.kind === 'unreadable') {
      io.err(`${authorityFile(config.database)} cannot be read. Call this with sudo.\n`);
      return exitCodes.noPermission;
    }
    if (stored.kind !== 'read') {
      io.err('There is no authority yet. The daemon makes it once the time is set.\n');
      return exitCodes.checkFailed;
    }
    const { name, fingerprint, toMs } = toInstallable(stored.value);
    const host = normalizeHostName(hostname());
    const page = host === null ? 'localhost' : toLocalName(host);
    io.out(
      [
        `Page         https://${page}:${config.https.port}/`,
        `Install from ${reachableUrls(config.http)[0] ?? localUrl(config.http)}https`,
        `Authority    ${name}, until ${new Date(toMs).toISOString().slice(0, 10)}`,
        `SHA-256      ${fingerprint}`,
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
    return exitCodes.ok;
  },
};
