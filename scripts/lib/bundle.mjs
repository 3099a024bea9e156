/** Loaded from node_modules when it runs: its native part can't be bundled. */
const NATIVE = ['better-sqlite3'];

/** What dockerode loads for ssh endpoints and BuildKit sessions, which Berth never uses: a third of its memory at rest. */
const LEFT_OUT = /^(@grpc\/grpc-js|@grpc\/proto-loader|protobufjs|ssh2)(\/|$)/;

const leaveOut = {
  name: 'leave-out',
  setup(build) {
    build.onResolve({ filter: LEFT_OUT }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** How every program is bundled. */
export const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
};

/** How what holds a controller is. */
export const controllerBundle = { ...common, external: NATIVE, plugins: [leaveOut] };
