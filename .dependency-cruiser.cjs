/** Who may import whom: everything points toward `crds` and `runtimes/runtime.ts`. See docs/architecture.md. */
const OURS = '^(crds|controller|reconcilers|runtimes|host|ctl|service|scripts|test)/';
const npm = (name) => `node_modules/${name}/`;

/** A rule that says which of our own rooms and which packages a room may reach. */
function only(name, from, { ours, packages = [], fromNot, why }) {
  const allowed = [...ours, ...packages.map(npm)];
  return {
    name,
    severity: 'error',
    comment: why,
    from: { path: from, ...(fromNot ? { pathNot: fromNot } : {}) },
    to: { path: `${OURS}|node_modules/`, pathNot: allowed.length > 0 ? allowed.join('|') : '^$' },
  };
}

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', comment: 'Split the shared part out.', from: {}, to: { circular: true } },
    only('crds', '^crds/', {
      ours: ['^crds/'],
      packages: ['zod', 'yaml', 'fastest-levenshtein'],
      why: 'Schemas know nothing of what acts on them: no I/O, no clock.',
    }),
    only('runtime-types', '^runtimes/(runtime|errors|labels|provider)\\.ts$', {
      ours: ['^crds/failures', '^runtimes/'],
      why: 'The driver interface is what others point at.',
    }),
    only('fake-runtime', '^runtimes/fake/', {
      ours: ['^runtimes/(fake/|runtime|errors|labels)', '^crds/failures'],
      why: 'The fake is an engine with memory and nothing else.',
    }),
    only('drivers', '^runtimes/(docker|podman|engine)/', {
      ours: ['^runtimes/(docker|podman|engine)/', '^runtimes/[^/]+\\.ts$', '^crds/failures'],
      packages: ['dockerode', '@types/dockerode'],
      why: 'Engine shapes and engine errors stop in the drivers.',
    }),
    only('controller', '^controller/', {
      fromNot: '^controller/(main|bin)\\.ts$',
      ours: ['^crds/', '^controller/(?!main)', '^host/'],
      packages: ['xstate', 'chokidar', 'yaml', 'fastify', 'better-sqlite3', '@types/better-sqlite3', 'pino'],
      why: 'The machinery knows keys and resources and has never heard of containers.',
    }),
    only('xstate-in-controller', '^controller/(?!pass\\.ts|pass-reconciler\\.ts|main\\.ts|bin\\.ts)', {
      ours: [OURS],
      packages: ['chokidar', 'yaml', 'fastify', 'better-sqlite3', '@types/better-sqlite3', 'pino'],
      why: 'Only pass.ts runs machines.',
    }),
    only('reconcilers', '^reconcilers/', {
      ours: [
        '^crds/',
        '^reconcilers/',
        '^controller/(reconcile|pass|tasks|clock|log|store)',
        '^runtimes/(runtime|errors|labels|provider)',
        '^host/',
      ],
      packages: ['xstate'],
      why: 'Reconcilers get what they act on passed in.',
    }),
    {
      name: 'reconcilers-meet-through-the-store',
      severity: 'error',
      comment: 'One reconciler never calls another; write an object and let its own reconciler see it.',
      from: { path: '^reconcilers/([^/]+)/' },
      to: { path: '^reconcilers/([^/]+)/', pathNot: '^reconcilers/($1|shared)/' },
    },
    only('host', '^host/', { ours: ['^host/'], why: 'What we do on the host is node:fs and git, nothing more.' }),
    only('ctl', '^ctl/', {
      ours: [
        '^ctl/',
        '^crds/',
        '^controller/api/(wire|client)',
        '^controller/(home|clock)',
        '^host/(errno|make-directory)',
      ],
      packages: ['commander', 'yaml'],
      why: 'ctl talks to the controller only, never to an engine.',
    }),
    {
      name: 'nothing-imports-test',
      severity: 'error',
      comment: 'Move it out of test/.',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
