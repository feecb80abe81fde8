import { expect, test } from 'vitest';
import { demoBanner, httpsBanner, setupBanner } from '../../src/daemon/startup-banner.ts';
import { reachableUrls } from '../../src/system/own-addresses.ts';

test('the set-up banner shows the address for a phone, and one without a network that of this machine', () => {
  const [phone] = reachableUrls({ host: '0.0.0.0', port: 8080 });
  expect(setupBanner('0.0.0.0', 8080, 'K7QM-2RXA')).toContain(`Page        ${phone}\n`);
  expect(setupBanner('::1', 8080, 'K7QM-2RXA')).toContain('Page        http://[::1]:8080/\n');
  expect(setupBanner('0.0.0.0', 0, 'K7QM-2RXA')).not.toContain('Page ');
});

test('the demo shows its own address, and that for a phone only when a phone reaches it', () => {
  const [phone] = reachableUrls({ host: '0.0.0.0', port: 8080 });
  expect(demoBanner('0.0.0.0', 8080)).toContain(
    `Page    http://localhost:8080/   (from a phone: ${phone})\n`,
  );
  expect(demoBanner('127.0.0.1', 8080)).toContain('Page    http://127.0.0.1:8080/\n');
  expect(demoBanner('192.168.1.5', 8080)).toContain('Page    http://192.168.1.5:8080/\n');
});

test('the HTTPS banner shows the address over HTTPS', () => {
  expect(httpsBanner('192.168.1.5', 8443, 'AB:CD')).toContain('Over HTTPS  https://192.168.1.5:8443/\n');
});
