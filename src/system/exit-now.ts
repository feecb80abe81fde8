/**
 * Ends the process with an exit code; the caller has flushed everything. `process.exit` first waits for the
 * thread pool, where a read from a hung 1-Wire bus never returns; the C library's `_exit` does not wait.
 */
export async function exitNow(code: number): Promise<never> {
  try {
    const { default: koffi } = await import('koffi');
    koffi.load('libc.so.6').func('void _exit(int code)')(code);
  } catch {
    // Another C library: `process.exit` works unless a thread hangs.
  }
  process.exit(code);
}
