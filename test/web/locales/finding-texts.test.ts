import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WiringTopic } from '../../../src/http/wiring-ports.ts';

/** Topics that need no text: the problem says it, or the figure. */
type Wordless = 'line_fault' | 'in_trouble' | 'temperature';

// Fails to compile when a topic is added.
const topics: Readonly<Record<Exclude<WiringTopic, Wordless>, true>> = {
  above_model: true,
  below_model: true,
  bounce: true,
  stray: true,
  mains: true,
  echo: true,
  lost: true,
  unproven: true,
  reversed: true,
  stuck: true,
  never: true,
  counts: true,
  other_use: true,
  no_header_pin: true,
  no_meters: true,
  checksum: true,
  stuck_low: true,
  power_on: true,
  absent: true,
  unread: true,
  silent: true,
  no_bus: true,
  heard: true,
  unheard: true,
  unreadable: true,
  unreadable_board: true,
  works: true,
};

const folder = join(import.meta.dirname, '../../../locales');

test.each(readdirSync(folder).filter((name) => name.endsWith('.json')))(
  '%s has a text for each finding about the wiring',
  (file) => {
    const catalogue = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>;
    const missing = Object.keys(topics).filter((topic) => !catalogue[`daemon.findings.${topic}`]);
    expect(missing).toEqual([]);
  },
);
