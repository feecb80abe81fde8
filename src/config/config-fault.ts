/** The exit code of sysexits for a configuration that cannot be used. */
export const configExitCode = 78;

/** A configuration that cannot be used, with everything wrong in it told at once. */
export class ConfigFault extends Error {
  /** Where the configuration came from, in words: a file's path or `the environment`. */
  readonly source: string;
  /** One plain sentence a fault, each naming its path in the file. Never empty. */
  readonly faults: readonly string[];

  constructor(source: string, faults: readonly string[]) {
    super(`${source} cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigFault';
    this.source = source;
    this.faults = faults;
  }
}
