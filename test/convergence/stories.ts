import { manifest } from '../helpers/fake-manifests';
import type { World } from '../helpers/world';

/** What somebody does, and how long the controller then has to come to rest. */
export interface Step {
  readonly act: (world: World) => void | Promise<void>;
  readonly restMs: number;
}

/** What every story starts with. */
export const PROJECTS = manifest('Project', 'web', 'path: ../../web') + manifest('Project', 'api', 'path: ../../api');
const SANDBOX = manifest('Sandbox', 'main', 'projects: [web]');
const SHELL = manifest('Session', 'talk', 'project: web, placement: Sandbox, agent: shell');

function writes(name: string, text: string): Step {
  return {
    act: (world) => {
      world.write(name, text);
    },
    restMs: 1_000,
  };
}

const restarts = (kind: 'Sandbox' | 'Session', name: string): Step => ({
  act: (world) => {
    world.restart(kind, name);
  },
  restMs: 1_000,
});
const deletes = (kind: 'Sandbox' | 'Session', name: string): Step => ({
  act: (world) => {
    world.remove('main.yaml');
    world.controller.store.requestDeletion({ kind, name });
  },
  restMs: 1_000,
});

export interface Story {
  readonly steps: readonly Step[];
  /** The containers at the end. */
  readonly leaves: readonly { readonly running: boolean; readonly sessions: number }[];
  /** How many effects the last step has at least. */
  readonly effects: number;
}

const ONE = [{ running: true, sessions: 0 }];

/** Everything that a controller does by itself, each as the last step of one of them. */
export const STORIES: Readonly<Record<string, Story>> = {
  'a sandbox is made': { leaves: ONE, effects: 2, steps: [writes('main.yaml', SANDBOX)] },
  'a sandbox is out of date and restarted': {
    leaves: ONE,
    effects: 4,
    steps: [
      writes('main.yaml', SANDBOX),
      writes('main.yaml', manifest('Sandbox', 'main', 'projects: [web], keepRunning: true')),
      restarts('Sandbox', 'main'),
    ],
  },
  'a sandbox gets another project and is restarted': {
    leaves: ONE,
    effects: 4,
    steps: [
      writes('main.yaml', SANDBOX),
      writes('main.yaml', manifest('Sandbox', 'main', 'projects: [api, web]')),
      restarts('Sandbox', 'main'),
    ],
  },
  'a sandbox is deleted': { leaves: [], effects: 2, steps: [writes('main.yaml', SANDBOX), deletes('Sandbox', 'main')] },
  'a sandbox is stopped': {
    leaves: [{ running: false, sessions: 0 }],
    effects: 1,
    steps: [
      writes('main.yaml', SANDBOX),
      writes('main.yaml', manifest('Sandbox', 'main', 'projects: [web], state: Stopped')),
    ],
  },
  'a sandbox at rest loses its file': {
    leaves: [],
    effects: 1,
    steps: [
      writes('main.yaml', SANDBOX),
      writes('main.yaml', manifest('Sandbox', 'main', 'projects: [web], state: Stopped')),
      {
        act: (world) => {
          world.remove('main.yaml');
        },
        restMs: 3_500,
      },
    ],
  },
  'a session gets a sandbox of its own': {
    leaves: [{ running: true, sessions: 1 }],
    effects: 3,
    steps: [writes('main.yaml', SHELL)],
  },
  'a session with a sandbox of its own is deleted': {
    leaves: [],
    effects: 3,
    steps: [writes('main.yaml', SHELL), deletes('Session', 'talk')],
  },
  'a session in a shared sandbox is restarted': {
    leaves: [{ running: true, sessions: 1 }],
    effects: 2,
    steps: [
      writes('main.yaml', SANDBOX + manifest('Session', 'talk', 'project: web, sandbox: main, agent: shell')),
      restarts('Session', 'talk'),
    ],
  },
  'an image is pulled': {
    leaves: ONE,
    effects: 3,
    steps: [
      {
        act: (world) => {
          world.engine.registry.set('example.org/tools:1', { id: 'sha256:tools', labels: {}, environment: {} });
          world.write(
            'main.yaml',
            manifest('Sandbox', 'main', 'image: { reference: example.org/tools:1, source: Registry }'),
          );
        },
        restMs: 1_000,
      },
    ],
  },
};
