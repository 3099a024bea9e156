import { isIP } from 'node:net';

/** A port of the sandbox, published on an address of the host. */
export interface PortMapping {
  readonly hostAddress: string;
  readonly hostPort: number;
  readonly containerPort: number;
}

/** Published ports are for the person at this machine unless an address says otherwise. */
const LOOPBACK = '127.0.0.1';
const MAPPING = /^(?:(\[[0-9A-Fa-f:.]+\]|[0-9.]+):)?(\d{1,5}):(\d{1,5})$/;

/** Reads `host:container`, `127.0.0.1:host:container` or `[::1]:host:container`; undefined when it is none. */
export function parsePort(text: string): PortMapping | undefined {
  const [whole, address, host, container] = MAPPING.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const hostAddress = address?.replace(/^\[|\]$/g, '') ?? LOOPBACK;
  const mapping = { hostAddress, hostPort: Number(host), containerPort: Number(container) };
  const valid = isIP(hostAddress) !== 0 && isPort(mapping.hostPort) && isPort(mapping.containerPort);
  return valid ? mapping : undefined;
}

function isPort(value: number): boolean {
  return value >= 1 && value <= 65_535;
}
