import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '../../controller/api/client';
import { STATUS_PATH, type ControllerStatus } from '../../controller/api/wire/types';
import { resolveHome } from '../../controller/home';
import { SmallDisk, whyNoSmallDisk } from '../helpers/small-disk';

const ROOT = join(__dirname, '../..');
/** The lock, which is a database of its own, and the note beside it. */
const LOCK_BYTES = 2 * 4096;

const impossible = whyNoSmallDisk();

(impossible === undefined ? describe : describe.skip)(
  `a controller whose state is on a full disk${impossible === undefined ? '' : ` (skipped: ${impossible})`}`,
  () => {
    let programs: string;
    let directory: string;
    let disk: SmallDisk;
    let child: ChildProcess | undefined;

    beforeAll(async () => {
      programs = mkdtempSync(join(tmpdir(), 'berth-dist-'));
      const build = [join(ROOT, 'scripts/build.mjs'), '--out', programs];
      await promisify(execFile)(process.execPath, build);
    });
    afterAll(() => {
      rmSync(programs, { recursive: true });
    });
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'berth-full-'));
      disk = new SmallDisk();
      mkdirSync(join(disk.path, 'berth'));
    });
    afterEach(async () => {
      child?.kill('SIGKILL');
      await ended;
      disk.close();
      rmSync(directory, { recursive: true });
    });

    let ended: Promise<number | null> = Promise.resolve(0);
    const env = () => ({
      PATH: process.env['PATH'],
      HOME: directory,
      NODE_PATH: join(ROOT, 'node_modules'),
      XDG_STATE_HOME: disk.path,
      XDG_RUNTIME_DIR: join(directory, 'run'),
      DOCKER_HOST: `unix://${directory}/no-engine.sock`,
      BERTH_LOG_LEVEL: 'debug',
    });
    const home = () => resolveHome(env());
    const logFile = () => join(home().state, 'controller.log');

    function start(): { stderr: () => string } {
      const log = openSync(logFile(), 'a');
      const started = spawn(process.execPath, [join(programs, 'controller.cjs')], {
        env: env(),
        stdio: ['ignore', log, 'pipe'],
      });
      closeSync(log);
      let stderr = '';
      started.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child = started;
      ended = new Promise((resolve) => started.once('close', resolve));
      return { stderr: () => stderr };
    }

    async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
      for (;;) {
        const seen = await look().catch(() => undefined);
        if (seen !== undefined) return seen;
        await new Promise(setImmediate);
      }
    }

    const send = <Body>(path: string): Promise<Body> =>
      createClient({ socketPath: home().socket, warn: () => undefined }).send<Body>({ path });

    const status = (wanted: (status: ControllerStatus) => boolean): Promise<ControllerStatus> =>
      until(async () => {
        const found = await send<ControllerStatus>(STATUS_PATH);
        return wanted(found) ? found : undefined;
      });

    function declareProject(name: string): void {
      const manifest = `apiVersion: berth.dev/v1alpha1\nkind: Project\nmetadata: { name: ${name} }\nspec: { path: /tmp }\n`;
      writeFileSync(join(home().manifests, `${name}.yaml`), manifest);
    }

    it('goes on, says what is wrong, and catches up once there is room', async () => {
      start();
      await status(({ ready }) => ready);
      disk.fill(logFile());
      declareProject('late');
      const { problems } = await status((found) => found.problems !== undefined);
      const sentence = `the state store ${home().state}/state.db can't be written: database or disk is full`;
      expect(problems).toEqual([sentence]);
      await expect(send('/apis/berth.dev/v1alpha1/projects/late')).rejects.toThrow('not found');
      disk.free();
      await until(() => send('/apis/berth.dev/v1alpha1/projects/late'));
      expect((await status(() => true)).problems).toBeUndefined();
      await until(() =>
        Promise.resolve(/\d lines? of the log w\w+ lost"\}\n/.exec(readFileSync(logFile(), 'utf8')) ?? undefined),
      );
      child?.kill('SIGTERM');
      expect(await ended).toBe(0);
    }, 30_000);

    it('ends in good order when it is told to', async () => {
      const { stderr } = start();
      await status(({ ready }) => ready);
      disk.fill(logFile());
      declareProject('late');
      await status((found) => found.problems !== undefined);
      child?.kill('SIGTERM');
      expect({ code: await ended, stderr: stderr() }).toEqual({ code: 0, stderr: '' });
    }, 30_000);

    it('does not start for the first time, and names what can’t be written', async () => {
      disk.fill();
      const { stderr } = start();
      expect(await ended).toBe(1);
      const lock = `${home().state}/controller.lock`;
      expect(stderr()).toBe(`error: the lock ${lock} can't be taken: database or disk is full\n`);
    });

    it('does not start without room for its store', async () => {
      disk.fill();
      disk.free(LOCK_BYTES);
      const { stderr } = start();
      expect(await ended).toBe(1);
      const store = `${home().state}/state.db`;
      expect(stderr()).toContain(`error: the state store ${store} can't be used: database or disk is full. Nothing`);
      expect(stderr()).not.toContain(' at ');
    });

    it('is not started by ctl, which says that there is no room for a log', async () => {
      disk.fill();
      const args = [join(programs, 'ctl'), 'controller', 'start'];
      const result = await promisify(execFile)(process.execPath, args, { env: env() }).catch((error: unknown) => error);
      expect(result).toMatchObject({
        code: 1,
        stderr: `error: the log ${logFile()} can't be written: no space left on device\n`,
      });
    });
  },
);
