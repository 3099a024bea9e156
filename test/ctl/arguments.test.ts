import { runCli } from '../../ctl/cli';
import { CtlHarness, type Ran } from './harness';

let ctl: CtlHarness;
beforeEach(async () => {
  ctl = new CtlHarness();
  await ctl.serve();
  ctl.store.put('Sandbox', 'main');
});
afterEach(async () => {
  await ctl.close();
});

/** Words may be empty or hold anything, which a line of them can't. */
async function run(...words: string[]): Promise<Ran> {
  ctl.stdout.text = '';
  ctl.stderr.text = '';
  const code = await runCli(words, ctl.context());
  return { code, stdout: ctl.stdout.text, stderr: ctl.stderr.text };
}

const VERBS = ['get', 'describe', 'delete', 'restart', 'approve'];

describe.each(VERBS)('ctl %s', (verb) => {
  it.each([
    [[''], 'the type of resource is empty'],
    [['', 'main'], 'the type of resource is empty'],
    [[','], 'a type of resource is empty in ","'],
    [['sandboxes,'], 'a type of resource is empty in "sandboxes,"'],
    [[',sandboxes', 'main'], 'a type of resource is empty in ",sandboxes"'],
    [['sandboxes,,sessions', 'main'], 'a type of resource is empty in "sandboxes,,sessions"'],
    [['sandboxes', ''], 'resource name may not be empty'],
    [['sandboxes', 'main', ''], 'resource name may not be empty'],
    [['sandboxes/'], 'arguments in resource/name form must have a single resource and name: "sandboxes/"'],
    [['/main'], 'arguments in resource/name form must have a single resource and name: "/main"'],
  ])('refuses %j', async (words, why) => {
    expect(await run(verb, ...words)).toEqual({ code: 1, stdout: '', stderr: `error: ${why}\n` });
    expect(ctl.store.get({ kind: 'Sandbox', name: 'main' })?.metadata.deletionTimestamp).toBeUndefined();
  });

  it.each(['\u001b[2Jmain', 'main\nmain', 'ma\rin', '\u202emain', 'ma\u0000in', '\u009b'])(
    'shows %j for what it is',
    async (word) => {
      for (const words of [[word], [word, 'main'], ['sandboxes', word], [`sandboxes/${word}`], [`--${word}`]]) {
        const { code, stdout, stderr } = await run(verb, ...words);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toMatch(/^error: "[^\p{Cc}\u202e]+" holds characters that no argument has\n$/u);
      }
    },
  );
});

describe('ctl', () => {
  it('shows a command for what it is', async () => {
    const stderr = 'error: "\\x1b[2J\\nThe controller has stopped" holds characters that no argument has\n';
    expect(await run('\u001b[2J\nThe controller has stopped')).toEqual({ code: 1, stdout: '', stderr });
    expect((await run('get', 'sb', '-l', 'a=\n')).code).toBe(1);
    expect((await run('delete', 'sb', 'main', '--timeout', '1\n')).code).toBe(1);
  });

  it('refuses an empty command', async () => {
    expect((await run('')).code).toBe(1);
  });
});
