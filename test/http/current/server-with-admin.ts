import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportSettings } from '../../../src/config/settings-group.ts';
import { loadConfig } from '../../../src/daemon/load-config.ts';
import { settingsGroups } from '../../../src/extensions/all.ts';
import { createApp } from '../../../src/http/app.ts';
import { createHealthReporters } from '../../../src/services/monitors/health-reporters.ts';
import { createAdminService } from '../../../src/services/site/admin-service.ts';
import { createHealthRegistry } from '../../../src/system/health/health.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { createTestServices } from '../test-services.ts';
import { createPopulatedServer } from './populated-server.ts';

/** A populated server with the daemon's admin service and its log. */
export function createServerWithAdmin() {
  const server = createPopulatedServer();
  const folder = mkdtempSync(join(tmpdir(), 'tapster-admin-'));
  const path = join(folder, 'tapster.json');
  const http = { host: 'secret-host', port: 0 };
  const onewire = { directory: '/secret/place' };
  writeFileSync(path, JSON.stringify({ gpio: { driver: 'simulated' }, http, onewire }));
  const { config } = loadConfig({ path, env: { TAPSTER_DATABASE: join(folder, 'tapster.db') }, cwd: folder });
  const { log, memory } = createLog({ level: 'info', isHumanReadable: false, write() {} });
  const health = createHealthRegistry();
  const clock = {
    now: () => ({ monoMs: 0, wallMs: Date.UTC(2026, 4, 3, 18), synced: true, bootId: 'boot-1' }),
    setManually() {},
  };
  const admin = createAdminService({
    settingsFile: null,
    config,
    reportedSettings: reportSettings(config, settingsGroups),
    clock,
    database: { engine: () => server.engine, replace: (work) => work() },
    health,
    reporters: createHealthReporters(health, log),
    memory,
    lastExit: { kind: 'crashed', detail: 'Error: "wilhelmina" at 192.168.7.23 in pours.js:12', atMs: null },
    log,
  });
  const app = createApp({
    engine: server.engine,
    services: createTestServices({ clock, log, admin }),
    settings: { trustProxy: false, rateLimits: false, hosts: [] },
    webDirectory: folder,
    checkReplies: true,
  });
  return { server: { ...server, app }, log, admin };
}
