import { type Command, configOption, readArgs } from './command.ts';

/** Counts, stores and serves until it is stopped. */
export const runCommand: Command = {
  help: `Usage: tapster [run] [--config FILE]

Counts, stores and serves until SIGTERM or SIGINT, which end open pours and exit within five seconds;
a second signal exits at once. Without any configuration it runs the demo with simulated taps.

Exit codes: 0 stopped, 69 the port is taken, 74 the disk fails, 77 no permission, 78 faults in the configuration.
`,
  async run(args) {
    const { values } = readArgs(args, configOption);
    const { runDaemon } = await import('../daemon/run-daemon.ts');
    const { exitNow } = await import('../system/exit-now.ts');
    return exitNow(await runDaemon(values.config === undefined ? {} : { configPath: values.config }));
  },
};
