import { z } from 'zod';
import { line, uniqueList } from './fields';

const CAPABILITY = /^(ALL|[A-Z][A-Z_]+)$/;
const capabilities = () =>
  uniqueList(z.string().regex(CAPABILITY, { error: 'must be a capability in capitals, such as NET_RAW, or ALL' }));

const OPTION = /^[^-\s]\S*$/;

export function securitySpec() {
  return z
    .strictObject({
      privileged: z.boolean().describe('Gives the container everything the host has.').exactOptional(),
      capAdd: capabilities().describe('Kernel capabilities added.').exactOptional(),
      capDrop: capabilities().describe('Kernel capabilities dropped, before any are added.').exactOptional(),
      securityOptions: z
        .array(line().regex(OPTION, { error: 'must not hold spaces or start with a dash' }))
        .describe('Security options for the engine, such as seccomp=unconfined.')
        .exactOptional(),
      selinuxRelabel: z
        .boolean()
        .describe('Relabels every bind mount for SELinux, which changes the labels on this machine.')
        .exactOptional(),
      extraRunArgs: z
        .array(line())
        .describe('Arguments for the engine as its command line takes them, after all others.')
        .exactOptional(),
    })
    .describe('Loosens or tightens the container.');
}
