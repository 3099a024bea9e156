import fc from 'fast-check';
import { parse } from 'yaml';
import { toJson } from '../../ctl/print/json';
import { toYaml } from '../../ctl/print/yaml';
import { isPrintable } from '../../controller/api/wire/printable';
import { event } from '../controller/api/harness';
import { conditions } from '../helpers/memory-store';
import { CtlHarness } from './harness';

let ctl: CtlHarness;
beforeEach(async () => {
  ctl = new CtlHarness();
  await ctl.serve();
  ctl.store.put('Sandbox', 'main', {
    labels: { team: 'shop', app: 'web' },
    spec: { image: { reference: 'dev' } },
    status: { ...conditions({ Ready: 'True Ready', UpToDate: 'True UpToDate' }), runtime: { kind: 'Docker' } },
  });
  ctl.store.put('Sandbox', 'long-name');
  ctl.store.put('Session', 'fix-login', { spec: { project: 'web' } });
});
afterEach(async () => {
  await ctl.close();
});

describe('ctl get', () => {
  it('lists a type in a table', async () => {
    const { code, stdout, stderr } = await ctl.run('get sandboxes');
    expect(stdout).toBe(
      [
        'NAME        RUNTIME   STATUS    READY     UP-TO-DATE   AGE',
        'long-name   <none>    Pending   Unknown   Unknown      5m3s',
        'main        Docker    Ready     True      True         5m3s',
        '',
      ].join('\n'),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each([
    ['get sb main', ['main']],
    ['get sb main long-name', ['main', 'long-name']],
    ['get sandbox/main', ['main']],
    ['get sandbox/main sb/long-name', ['main', 'long-name']],
    ['get sb -l team=shop', ['main']],
    ['get sb --selector !team', ['long-name']],
    [
      'get sandbox,session',
      ['sandbox.berth.dev/long-name', 'sandbox.berth.dev/main', '', 'session.berth.dev/fix-login'],
    ],
    ['get sandbox/main session/fix-login', ['sandbox.berth.dev/main', '', 'session.berth.dev/fix-login']],
    ['get all', ['sandbox.berth.dev/long-name', 'sandbox.berth.dev/main', '', 'session.berth.dev/fix-login']],
  ])('%s shows %j', async (line, names) => {
    const { code, stdout } = await ctl.run(`${line} --no-headers`);
    const first = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/\s{2,}/)[0]);
    expect(first).toEqual(names);
    expect(code).toBe(0);
  });

  it('of all leaves agents out, which are mostly built in; berth is really all', async () => {
    ctl.store.put('Agent', 'claude', { spec: { command: ['claude', '--quiet'] } });
    expect((await ctl.run('get all')).stdout).not.toContain('claude');
    expect((await ctl.run('get berth')).stdout).toMatch(/^agent.berth.dev\/claude +claude --quiet /m);
  });

  it('leaves out the header when told to, and adds columns when asked', async () => {
    expect((await ctl.run('get sb main --no-headers')).stdout).not.toContain('NAME');
    expect((await ctl.run('get sb main -o wide')).stdout).toMatch(/^NAME .* IMAGE .*\n.* dev /);
    const labelled = (await ctl.run('get sb --show-labels')).stdout;
    expect(labelled).toMatch(/ LABELS\n.*<none>\n.*app=web,team=shop\n$/);
  });

  it('gives one object or a list as JSON', async () => {
    const one = JSON.parse((await ctl.run('get sb main -o json')).stdout) as { kind: string };
    expect(one).toEqual(ctl.store.get({ kind: 'Sandbox', name: 'main' }));
    const list = JSON.parse((await ctl.run('get sb,sess -o json')).stdout) as { items: { kind: string }[] };
    expect(list).toMatchObject({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' } });
    expect(list.items.map(({ kind }) => kind)).toEqual(['Sandbox', 'Sandbox', 'Session']);
  });

  it('gives one object or a list as YAML', async () => {
    const { stdout } = await ctl.run('get sb main -o yaml');
    expect(parse(stdout)).toEqual(ctl.store.get({ kind: 'Sandbox', name: 'main' }));
    expect(parse((await ctl.run('get sb -o yaml')).stdout)).toMatchObject({ kind: 'List', items: [{}, {}] });
  });

  it('gives names alone', async () => {
    const { stdout } = await ctl.run('get sb,sess -o name');
    expect(stdout).toBe('sandbox.berth.dev/long-name\nsandbox.berth.dev/main\nsession.berth.dev/fix-login\n');
  });

  it('lists events', async () => {
    ctl.events.add(event({ count: 2 }));
    const { stdout } = await ctl.run('get events');
    expect(stdout).toMatch(
      /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n2m3s +Normal +Created +sandbox\/main +Created the container\.\n$/,
    );
    const [name = ''] = (await ctl.run('get ev -o name')).stdout.trim().split('\n');
    expect((await ctl.run(`get ${name} --no-headers`)).stdout).toContain('Created the container.');
  });

  it('says that there is nothing, which is no failure', async () => {
    expect(await ctl.run('get projects')).toEqual({ code: 0, stdout: '', stderr: 'No resources found\n' });
    expect(JSON.parse((await ctl.run('get projects -o json')).stdout)).toMatchObject({ kind: 'List', items: [] });
  });

  it('shows what was found beside what was not', async () => {
    const { code, stdout, stderr } = await ctl.run('get sb main nope');
    expect(stdout).toContain('main');
    expect(stderr).toBe('Error from server (NotFound): sandboxes.berth.dev "nope" not found\n');
    expect(code).toBe(1);
  });

  it.each([
    ['get', 'error: you must specify the type of resource; "ctl api-resources" lists them\n'],
    ['get pods', `error: the server doesn't have a resource type "pods"\n`],
    ['get sb,pods', `error: the server doesn't have a resource type "pods"\n`],
    ['get sb main -l a=b', 'error: name cannot be provided when a selector is specified\n'],
    ['get sb/a/b', 'error: arguments in resource/name form must have a single resource and name: "sb/a/b"\n'],
    ['get sb/main web', /^error: there is no need to specify a resource type as a separate argument/],
    ['get sb -l a+b', /^Error from server \(BadRequest\): unable to parse the label selector/],
    ['get sb -o xml', /^error: option '-o, --output <format>' argument 'xml' is invalid/],
    ['get sb --what', /^error: unknown option '--what'/],
  ])('refuses "%s"', async (line, message) => {
    const { code, stdout, stderr } = await ctl.run(line);
    expect(stderr).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('prints the problems of manifests on the side', async () => {
    const place = { path: '/m/größe.yaml', line: 7, column: 3 };
    ctl.store.setProblems([{ ...place, reason: 'InvalidYaml', message: 'bad "indentation"' }]);
    const { code, stdout, stderr } = await ctl.run('get sb main --no-headers');
    expect(stderr).toBe('Warning: /m/größe.yaml:7:3: bad "indentation"\n');
    expect(stdout).toMatch(/^main /);
    expect(code).toBe(0);
  });

  it('says how to start the controller when there is none', async () => {
    await ctl.stopServing();
    const { code, stderr } = await ctl.run('get sb');
    expect(stderr).toBe(
      `The controller is not running (nothing answers at ${ctl.home.socket}): start it with "ctl controller start".\n`,
    );
    expect(code).toBe(1);
  });

  it('finds an object whose name needs quoting in a path not found, whatever it spells', async () => {
    const { stderr } = await ctl.run('get sb ..%2Fsessions');
    expect(stderr).toBe('Error from server (NotFound): sandboxes.berth.dev "..%2Fsessions" not found\n');
  });
});

describe('what ctl get prints', () => {
  const hostile = fc.string({ unit: fc.integer({ min: 0, max: 0x20ff }).map((code) => String.fromCharCode(code)) });

  it('as YAML and JSON means what is stored and steers no terminal', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))), (spec) => {
        const [yaml, json] = [toYaml({ spec }), toJson({ spec })];
        expect(isPrintable(yaml.replaceAll('\n', ''))).toBe(true);
        expect(isPrintable(json.replaceAll('\n', ''))).toBe(true);
        expect(JSON.parse(json)).toEqual({ spec });
        expect(parse(yaml)).toEqual({ spec });
      }),
      { numRuns: 500 },
    );
  });

  it('in every form steers no terminal', async () => {
    const nasty = '\u001b]0;owned\u0007\u009b2J\u202e\nfake row';
    ctl.store.put('Session', 'evil', {
      spec: { project: nasty },
      status: { ...conditions({ Ready: `False X ${nasty}` }), workdir: nasty },
    });
    for (const line of ['get sess -o wide', 'get sess evil -o json', 'get sess -o yaml', 'describe sess evil']) {
      const { stdout } = await ctl.run(line);
      expect(stdout).toContain('owned');
      expect(isPrintable(stdout.replaceAll('\n', ''))).toBe(true);
    }
    expect((await ctl.run('get sess')).stdout.trimEnd().split('\n')).toHaveLength(3);
  });
});
