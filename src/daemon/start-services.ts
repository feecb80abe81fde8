import { createBaseServices } from './base-services.ts';
import type { NetworkServices } from './network-services.ts';
import { type LocalServices, startLocalServices } from './services.ts';
import type { Shutdown } from './shutdown.ts';

/** Every service of the daemon. */
export type Services = LocalServices & NetworkServices;

/** Creates and starts every service in order, each with its stop. Throws what only a person can repair. */
export async function startServices(
  options: Parameters<typeof createBaseServices>[0],
  shutdown: Shutdown,
): Promise<Services> {
  const local = await startLocalServices(createBaseServices(options), shutdown);
  local.log.info({ sinceStartMs: Math.round(performance.now()) }, 'counting');
  // Loaded late so that counting starts before the modules of the outbox are parsed.
  const { startNetworkServices } = await import('./network-services.ts');
  return { ...local, ...(await startNetworkServices(local, shutdown)) };
}
