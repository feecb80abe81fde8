import { createProblem } from '../../../src/core/health/problems.ts';
import type { HardwareService } from '../../../src/http/hardware-ports.ts';

/** A machine with a meter and a relay of the settings file, and a meter and a relay that were added on the page. */
export function workingHardware(): HardwareService {
  const done = { changeId: 9, isRestartNeeded: false };
  const works = { state: 'works', problem: null } as const;
  const meter = { kind: 'meter', minGapMs: 1.2, bias: 'pull-up', edge: 'falling' } as const;
  return {
    snapshot: () => ({
      controller: 'pi',
      driver: 'simulated',
      isRestartNeeded: false,
      canRestart: true,
      meters: [
        {
          ...meter,
          ...works,
          name: 'pi.flow0',
          port: 'flow0',
          pin: 17,
          headerPin: 11,
          isFixed: true,
          model: null,
          ticksPerMl: null,
        },
        {
          ...meter,
          ...works,
          name: 'pi.flow1',
          port: 'flow1',
          pin: 27,
          headerPin: 13,
          isFixed: false,
          model: 'swissflow-sf800',
          ticksPerMl: null,
        },
      ],
      relays: [
        {
          kind: 'relay',
          ...works,
          name: 'pi.relay0',
          port: 'relay0',
          pin: 23,
          headerPin: 16,
          isFixed: true,
          activeLow: true,
        },
        {
          kind: 'relay',
          name: 'pi.relay1',
          port: 'relay1',
          pin: 24,
          headerPin: 18,
          isFixed: false,
          state: 'failed',
          problem: createProblem('line_taken', { line: 'GPIO 24', owner: 'spi0' }),
          activeLow: false,
        },
      ],
      probes: [{ name: '28-00000a1b2c3d', tempC: 4.5, isFixed: false }],
      pins: [
        { pin: 5, headerPin: 29, use: 'free', usedBy: null, also: null },
        { pin: 14, headerPin: 8, use: 'reserved', usedBy: null, also: 'serial console (TXD)' },
        { pin: 17, headerPin: 11, use: 'taken', usedBy: 'pi.flow0', also: null },
      ],
      models: [
        {
          id: 'swissflow-sf800',
          name: 'SF800',
          maker: 'SwissFlow',
          ticksPerMl: 5.4,
          maxHz: 2_030,
          minGapMs: 0.2,
          minLPerMin: 0.5,
          maxLPerMin: 20,
          isTooSmall: false,
          accuracyPercent: null,
          repeatabilityPercent: null,
          supply: { min: 5, max: 24 },
          output: 'open-collector',
          wires: { supply: 'red', ground: 'black', signal: 'yellow' },
          points: [
            { hz: 100, ticksPerMl: 5.2 },
            { hz: 400, ticksPerMl: 5.4 },
          ],
          notes: 'Calibrate it with one measured pour.',
        },
      ],
    }),
    add: async ({ kind, port = kind === 'meter' ? 'flow2' : 'relay2' }) => ({ port, ...done }),
    change: async () => done,
    remove: async () => done,
    decideRelays: async () => ({ ...done, changeId: null }),
    undo: async () => ({ ...done, changeId: 10 }),
    restart() {},
  };
}
