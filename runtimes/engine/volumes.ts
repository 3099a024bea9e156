import type { VolumeApi } from '../runtime';
import { DEADLINE_MS, unless, type EngineClient } from './client';

export function engineVolumes(client: EngineClient): VolumeApi {
  const { docker } = client;
  const deadlineMs = DEADLINE_MS.query;
  return {
    list: (labels, options) =>
      client.call({ ...options, operation: 'listing volumes', deadlineMs }, async (abortSignal) => {
        const label = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
        const reply: { Volumes?: readonly { Name: string }[] | null } = await docker.listVolumes({
          filters: { label },
          abortSignal,
        });
        return (reply.Volumes ?? []).map(({ Name }) => Name).toSorted();
      }),
    create: (name, labels, options) =>
      client.call({ ...options, operation: 'creating the volume', volume: name, deadlineMs }, async (abortSignal) => {
        await docker.createVolume({ Name: name, Labels: { ...labels }, abortSignal });
      }),
    remove: (name, options) =>
      client.call({ ...options, operation: 'removing the volume', volume: name, deadlineMs }, async (abortSignal) => {
        await unless([404], docker.getVolume(name).remove({ abortSignal }));
      }),
  };
}
