/** All Kegboards talk at this speed, 8 bits, no parity, one stop bit. */
const kegboardBaudRate = 115_200;

/** An open serial port. */
export interface SerialLink {
  /** Queues bytes for the wire. What can no longer be sent is dropped: `onClosed` tells of the end. */
  write(bytes: Uint8Array): void;
  /** Sends what is queued, as far as that is possible soon, and lets the port go. Never rejects. */
  close(): Promise<void>;
}

export interface LinkListeners {
  onBytes(bytes: Uint8Array): void;
  /** Told once, when the port is gone without being asked to: unplugged, or a fault. */
  onClosed(fault: Error | null): void;
}

/** Opens a port by its path. Rejects with what the system says. */
export type OpenLink = (path: string, listeners: LinkListeners) => Promise<SerialLink>;

/** Bytes of a hung-up port cannot be sent; nobody waits longer for them. */
const drainMs = 300;

/** The way to ports of another speed. The library is loaded at the first use, for most bars have no serial board. */
export const serialLinkAt =
  (baudRate: number): OpenLink =>
  async (path, listeners) => {
    const { SerialPort } = await import('serialport');
    const port = new SerialPort({ path, baudRate, autoOpen: false });
    let isOver = false;
    const reportClosed = (fault: Error | null) => {
      if (isOver) return;
      isOver = true;
      listeners.onClosed(fault);
    };
    port.on('data', (bytes: Buffer) => listeners.onBytes(bytes));
    // A pulled plug comes as a `close` that carries an error, not as an `error`.
    port.on('close', (fault: Error | null) => reportClosed(fault));
    port.on('error', (fault: Error) => {
      if (!port.isOpen) reportClosed(fault);
    });
    await new Promise<void>((done, fail) => port.open((fault) => (fault ? fail(fault) : done())));

    return {
      write(bytes) {
        if (!isOver && port.isOpen) port.write(bytes);
      },
      async close() {
        isOver = true;
        if (!port.isOpen) return;
        await within(drainMs, (done) => port.drain(() => done()));
        await within(drainMs, (done) => port.close(() => done()));
      },
    };
  };

/** Kegboards. */
export const openSerialLink: OpenLink = serialLinkAt(kegboardBaudRate);

function within(ms: number, work: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    work(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
