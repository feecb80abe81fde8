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
  return [...faults, ...overrideHttp(root.http, env), ...overrideHttps(root.https, env)];
}

type Environment = Readonly<Record<string, string | undefined>>;

function overrideHttp(section: unknown, env: Environment): string[] {
  const faults: string[] = [];
  if (typeof section !== 'object' || section === null || Array.isArray(section)) return faults;
  const target = section as Record<string, unknown>;

  const host = env.TAPSTER_HOST;
  if (host) {
    if (host.length <= hostRule.maxLength!) target.host = host;
    else faults.push(`$TAPSTER_HOST must be ${describeAllowed(hostRule)}.`);
  }
  return [
    ...faults,
    ...overridePort(target, 'TAPSTER_PORT', env),
    ...overrideSwitch(target, 'rate_limits', 'TAPSTER_RATE_LIMITS', env),
  ];
}

function overrideHttps(section: unknown, env: Environment): string[] {
  if (typeof section !== 'object' || section === null || Array.isArray(section)) return [];
  const target = section as Record<string, unknown>;
  return [
    ...overridePort(target, 'TAPSTER_HTTPS_PORT', env),
    ...overrideSwitch(target, 'enabled', 'TAPSTER_HTTPS', env),
  ];
}

function overridePort(target: Record<string, unknown>, variable: string, env: Environment): string[] {
  const port = env[variable];
  if (!port) return [];
  if (!/^\d{1,5}$/.test(port) || Number(port) > portRule.maximum!)
    return [`$${variable} must be ${describeAllowed(portRule)}, not "${port.slice(0, 40)}".`];
  target.port = Number(port);
  return [];
}

function overrideSwitch(
  target: Record<string, unknown>,
  key: string,
  variable: string,
  env: Environment,
): string[] {
  const value = env[variable];
  if (!value) return [];
  const isOn = switches[value.toLowerCase()];
  if (isOn === undefined) return [`$${variable} must be on or off, not "${value.slice(0, 40)}".`];
  target[key] = isOn;
  return [];
}
