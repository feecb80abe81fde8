import type { RequestListener } from 'node:http';
import { createAddressRanges } from '../../../system/address-ranges.ts';
import type { ListenerParts } from '../../extension.ts';
import type { MetricsSettings } from '../config/settings-group.ts';
import { createMetricsApp } from '../http/metrics.ts';
import type { Metrics } from './start-metrics.ts';

/** Creates what answers at `/metrics`. */
export async function createMetricsListener({
  config,
  settings,
  log,
  hosts,
  machine,
  background,
}: ListenerParts<Metrics, MetricsSettings>): Promise<RequestListener> {
  const { allow_loopback: allowsLoopback, allow_addresses: addresses, token } = settings;
  const { trust_proxy: trustProxy, rate_limits: rateLimits } = config.http;
  return createMetricsApp({
    service: await background.createService(machine),
    access: { allowsLoopback, token, isListed: createAddressRanges(addresses) },
    hosts,
    log,
    trustProxy,
    rateLimits,
  });
}
