import { afterEach, expect } from 'vitest';
import { type BarFolder, makeBar, quickBar, type RunningDaemon, startDaemon } from '../../kit/daemon.ts';

/** Bars and their daemons, which end with the test. */
export function pourBars() {
  const bars: BarFolder[] = [];
  const daemons: RunningDaemon[] = [];

  afterEach(async () => {
    for (const daemon of daemons.splice(0)) if (daemon.child.exitCode === null) await daemon.kill();
    for (const bar of bars.splice(0)) bar.remove();
  });

  function openBar(config: object = quickBar): BarFolder {
    const bar = makeBar(config);
    bars.push(bar);
    return bar;
  }

  async function open(bar: BarFolder): Promise<RunningDaemon> {
    const daemon = await startDaemon(bar);
    daemons.push(daemon);
    return daemon;
  }

  return { openBar, open };
}

/** What a test reads of a drink. */
export interface DrinkJson {
  ticks: number;
  volume_ml: number;
  keg_id: number | null;
  session_id: string;
  recovered?: boolean;
}

/** The drinks that the daemon answers, newest first. */
export async function drinks({ url }: RunningDaemon): Promise<DrinkJson[]> {
  const answer = (await (await fetch(`${url}/api/drinks`)).json()) as { result: { drinks: DrinkJson[] } };
  return answer.result.drinks;
}

/** Starts even pulses at a simulated meter. */
export async function pulse(
  { url }: RunningDaemon,
  train: { meter: string; ticks: number; hz: number },
): Promise<void> {
  const response = await fetch(`${url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(train),
  });
  expect(response.status).toBe(202);
}
