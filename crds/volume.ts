import { z } from 'zod';
import { containerPath, hostPath } from './fields';

export function volumeSpec() {
  return z
    .strictObject({
      hostPath: hostPath().describe('Directory or file of this machine.'),
      mountPath: containerPath().describe('Where it is seen in the container.'),
      readOnly: z.boolean().default(false).describe('Whether the container may only read it.'),
    })
    .describe('One more part of this machine, seen in the container.');
}

export type VolumeSpec = z.infer<ReturnType<typeof volumeSpec>>;
