import { describeAllowed, type ValueSchema } from './describe-allowed.ts';
import { ConfigSchema } from './schema.ts';

const databaseRule = ConfigSchema.properties.database as ValueSchema;
const hostRule = ConfigSchema.properties.http.properties.host as ValueSchema;
const portRule = ConfigSchema.properties.http.properties.port as ValueSchema;

/** Accepted spellings of off and on. */
const switches: Readonly<Record<string, boolean>> = {
  off: false,
  false: false,
  no: false,
  '0': false,
  on: true,
  true: true,
  yes: true,
  '1': true,
};

/**
 * Applies the environment's overrides to `data`, in place, and returns the faults of invalid ones. Empty
 * counts as unset.
 */
export function applyEnvOverrides(
  data: unknown,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
  const root = data as Record<string, unknown>;
  const faults: string[] = [];

  const database = env.TAPSTER_DATABASE;
  if (database) {
    if (database.length <= databaseRule.maxLength!) root.database = database;
    else faults.push(`$TAPSTER_DATABASE must be ${describeAllowed(databaseRule)}.`);
  }
  const section = root.http;
  if (typeof section !== 'object' || section === null || Array.isArray(section)) return faults;
  const target = section as Record<string, unknown>;

  const host = env.TAPSTER_HOST;
  if (host) {
    if (host.length <= hostRule.maxLength!) target.host = host;
    else faults.push(`$TAPSTER_HOST must be ${describeAllowed(hostRule)}.`);
  }
  const port = env.TAPSTER_PORT;
  if (port) {
    if (/^\d{1,5}$/.test(port) && Number(port) <= portRule.maximum!) target.port = Number(port);
    else faults.push(`$TAPSTER_PORT must be ${describeAllowed(portRule)}, not "${port.slice(0, 40)}".`);
  }
  const limits = env.TAPSTER_RATE_LIMITS;
  if (limits) {
    const isOn = switches[limits.toLowerCase()];
    if (isOn !== undefined) target.rate_limits = isOn;
    else faults.push(`$TAPSTER_RATE_LIMITS must be on or off, not "${limits.slice(0, 40)}".`);
  }
  return faults;
}
