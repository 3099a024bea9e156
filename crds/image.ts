import { z } from 'zod';
import { SANDBOX_DEFAULTS } from './defaults';
import { hostPath, line } from './fields';

/** The shape, not the meaning: `[registry/]path[:tag][@digest]` without spaces. */
const REFERENCE = /^[a-zA-Z0-9][\w.-]*(:\d+)?(\/[\w.-]+)*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

export const IMAGE_SOURCES = ['Registry', 'Archive', 'LocalBuild'] as const;
export const PULL_POLICIES = ['IfNotPresent', 'Always', 'Never'] as const;

export function imageSpec() {
  return z
    .strictObject({
      reference: line()
        .regex(REFERENCE, { error: 'must be an image reference such as localhost/berth/sandbox:dev' })
        .describe('Image that the container is made from.')
        .meta({ builtInDefault: SANDBOX_DEFAULTS.image.reference }),
      source: z
        .enum(IMAGE_SOURCES)
        .describe(
          'Where an absent image comes from: pulled from its registry, loaded from an archive, or built by you.',
        )
        .meta({ builtInDefault: SANDBOX_DEFAULTS.imageSource })
        .exactOptional(),
      archive: hostPath()
        .describe('File made by "docker save" that holds the image; for source Archive.')
        .exactOptional(),
      pullPolicy: z
        .enum(PULL_POLICIES)
        .describe('When to ask the source: only for an absent image, before each new container, or never.')
        .meta({ builtInDefault: SANDBOX_DEFAULTS.image.pullPolicy })
        .exactOptional(),
    })
    .superRefine((image, context) => {
      const wantsArchive = image.source === 'Archive';
      if (wantsArchive === (image.archive !== undefined)) return;
      const message = wantsArchive ? 'is needed when source is Archive' : 'may be given only when source is Archive';
      context.addIssue({ code: 'custom', path: ['archive'], message });
    })
    .describe('Image of the container; it replaces the one of the template as a whole.');
}
