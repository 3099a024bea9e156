import { z } from 'zod';
import { SANDBOX_DEFAULTS } from './defaults';
import { parsePort } from './ports';

const NETWORK_MODES = ['NoOutbound', 'Outbound', 'None'] as const;
export type NetworkMode = (typeof NETWORK_MODES)[number];

const PORT_RULE = 'must be "host:container" or "address:host:container" with ports from 1 to 65535';

export function networkSpec() {
  return z
    .strictObject({
      mode: z
        .enum(NETWORK_MODES)
        .describe('NoOutbound opens no connection outward, Outbound may, None has no published port either.')
        .meta({ builtInDefault: SANDBOX_DEFAULTS.network.mode })
        .exactOptional(),
      ports: z
        .array(
          z
            .string({ error: `${PORT_RULE}; quote it` })
            .refine((text) => parsePort(text) !== undefined, { error: PORT_RULE }),
        )
        .check((context) => {
          const taken = new Set<string>();
          context.value.forEach((text, index) => {
            const port = parsePort(text);
            const host = port && `${port.hostAddress} ${port.hostPort}`;
            if (host !== undefined && taken.has(host)) {
              context.issues.push({
                code: 'custom',
                path: [index],
                input: text,
                message: 'publishes a host port that an earlier entry already uses',
              });
            }
            if (host !== undefined) taken.add(host);
          });
        })
        .describe('Ports published on this machine, on 127.0.0.1 unless an address is given.')
        .exactOptional(),
    })
    .describe('What the sandbox reaches over the network, and what reaches it.');
}
