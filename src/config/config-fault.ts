/** The exit code of sysexits.h for an invalid configuration. */
export const configExitCode = 78;

/** An invalid configuration, with all its faults. */
export class ConfigFault extends Error {
  /** Where the configuration came from: a file's path or `the environment`. */
  readonly source: string;
  /** One sentence per fault, each with its path in the file. Never empty. */
  readonly faults: readonly string[];

  constructor(source: string, faults: readonly string[]) {
    super(`${source} cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigFault';
    this.source = source;
    this.faults = faults;
  }
}
