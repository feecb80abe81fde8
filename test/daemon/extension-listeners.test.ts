import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import type { HostedContext } from '../../src/daemon/extension-context.ts';
import { createExtensionHost } from '../../src/daemon/extension-host.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { defineExtension } from '../../src/extensions/extension.ts';

/** An extension with an address of its own, and one without. */
function open({ waitsFor = Promise.resolve() as Promise<unknown> } = {}) {
  const steps: string[] = [];
  const answer: RequestListener = () => {};
  const early = defineExtension({
    name: 'early',
    isOnByDefault: false,
    startsBeforeCounting: true,
    start: async () => () => {
      steps.push('early started');
      return { close: () => void steps.push('early closed') };
    },
    listener: {
      path: '/early',
      whenOff: 'It is off.',
      load: async () => async () => {
        steps.push('listener loaded');
        await waitsFor;
        return answer;
      },
    },
  });
  const late = defineExtension({
    name: 'late',
    isOnByDefault: false,
    start: async () => () => {
      steps.push('late started');
      return { close: () => void steps.push('late closed') };
    },
  });
  const host = createExtensionHost([early, late]);
  const context = () => ({ endProblems() {} }) as HostedContext;
  const parts = {} as Parameters<typeof host.serveHttp>[1];
  const engineWith = (...on: string[]) => ({ site: { features: { on: () => on } } }) as unknown as Engine;
  return { host, steps, answer, context, parts, engineWith };
}

test('what is to miss nothing starts before the rest, once, also with a closed database', async () => {
  const { host, steps, context, engineWith } = open();
  await host.startBeforeCounting(['early', 'late'], context);
  expect(steps).toEqual(['early started']);
  await host.start(engineWith('early', 'late'), context);
  expect(steps).toEqual(['early started', 'late started']);
});

test('what is off is not started', async () => {
  const { host, steps, context, engineWith } = open();
  await host.startBeforeCounting(['late'], context);
  await host.start(engineWith(), context);
  expect(steps).toEqual([]);
});

test('an address outside /api answers once HTTP is served, and only while its extension runs', async () => {
  const { host, steps, answer, context, parts, engineWith } = open();
  const off = { whenOff: 'It is off.', listener: null };
  await host.startBeforeCounting(['early'], context);
  expect(host.findListener('/early')).toEqual(off);
  expect(steps).not.toContain('listener loaded');
  await host.serveHttp(null, parts);
  expect(host.findListener('/early')).toEqual({ ...off, listener: answer });

  await host.followEngine(engineWith());
  expect(host.findListener('/early')).toEqual(off);
  await host.followEngine(engineWith('early'));
  expect(host.findListener('/early?x=1')?.listener).toBe(answer);
  await host.close();
  expect(host.findListener('/early')).toEqual(off);
});

test('a listener that is still loaded when its extension is switched off does not answer', async () => {
  let goOn = () => {};
  const waitsFor = new Promise<void>((done) => {
    goOn = done;
  });
  const { host, steps, context, parts, engineWith } = open({ waitsFor });
  await host.startBeforeCounting(['early'], context);
  const serving = host.serveHttp(null, parts);
  const followed = host.followEngine(engineWith());
  goOn();
  await Promise.all([serving, followed]);
  expect(steps.at(-1)).toBe('early closed');
  expect(host.findListener('/early')?.listener).toBeNull();
});

test.each(['/early/', '/earlyx', '/Early', '/', '/api/early', undefined])('%s is no such address', (url) => {
  expect(open().host.findListener(url)).toBeNull();
});
