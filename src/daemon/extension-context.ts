import type { Extension, RunningMachine, StartContext } from '../extensions/extension.ts';
import type { ReportProblem } from '../outbox/outbox-interfaces.ts';
import type { DatabaseLifecycle } from '../services/database/database-lifecycle.ts';
import type { FeatureValves } from '../services/valves/feature-valves.ts';
import type { BaseServices } from './base-services.ts';

/** A context with what ends the problems that were reported by it. */
export interface HostedContext extends StartContext<unknown> {
  endProblems(): void;
}

/** This machine once it counts and sends, for the background services of extensions. */
interface CountingMachine extends Omit<RunningMachine, 'addTransport' | 'ownValves'> {
  readonly meterNames: () => readonly string[];
  readonly valvesOf: (feature: string) => FeatureValves;
  readonly addTransport: (
    transport: Parameters<RunningMachine['addTransport']>[0],
    reportProblem: ReportProblem,
  ) => ReturnType<RunningMachine['addTransport']>;
}

/** Returns the function that gives what the background service of an extension is started with. */
export const startContexts =
  (
    base: BaseServices,
    { engine }: Pick<DatabaseLifecycle, 'engine'>,
    /** Absent before anything is counted. */
    counting?: CountingMachine,
  ) =>
  (extension: Extension): HostedContext => {
    const reporters: ReportProblem[] = [];
    const createReporter = (): ReportProblem => {
      const report = base.reporters(extension.healthPart ?? extension.name);
      reporters.push(report);
      return report;
    };
    return {
      ...base,
      engine,
      meterNames: counting?.meterNames ?? (() => []),
      machine() {
        if (counting === undefined) throw new Error(`Nothing is counted yet when ${extension.name} starts.`);
        const { addTransport, valvesOf, ...machine } = counting;
        const ownValves = valvesOf(extension.name);
        return {
          ...machine,
          ownValves,
          addTransport: (transport) => addTransport(transport, createReporter()),
        };
      },
      services: () => engine()?.findService(extension) ?? null,
      reportProblem: createReporter(),
      createReporter,
      endProblems() {
        for (const report of reporters) report([]);
      },
    };
  };
