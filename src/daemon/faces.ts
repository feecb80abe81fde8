import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import { type AppOptions, createApp } from '../http/app.ts';
import { realScheduler } from '../http/ports.ts';
import { productDirectory } from '../system/product.ts';
import { type Serving, startServing } from './serving.ts';

/** What the faces are given by the house. */
export interface FacesOptions
  extends Pick<
    AppOptions,
    'engine' | 'bus' | 'clock' | 'log' | 'health' | 'running' | 'lines' | 'simulator'
  > {
  readonly config: Config['http'];
  /** Told a sentence when the address cannot be had yet, null when it is. */
  readonly tell: (problem: string | null) => void;
}

/** Opens page and API on the configured address. Rejects when the port is taken or forbidden. */
export function openFaces({ config, tell, ...house }: FacesOptions): Promise<Serving> {
  const { host, port } = config;
  const listener = createApp({
    ...house,
    scheduler: realScheduler,
    settings: { trustProxy: config.trust_proxy, rateLimits: config.rate_limits, hosts: [host] },
    webDirectory: join(productDirectory, 'dist', 'web'),
  });
  return startServing({ listener, host, port, tell });
}
