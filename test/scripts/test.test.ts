import { mkdirSync } from 'node:fs';
import { ScriptBox, type Outcome } from '../helpers/script-box';

/** What a stand-in for jest reports, by suite: tests that passed, tests that failed, files that could not be loaded. */
type Results = Readonly<Record<string, readonly [passed: number, failed: number, unloadable: number]>>;

describe('the test command', () => {
  let box: ScriptBox;
  beforeEach(() => {
    box = new ScriptBox();
    box.program('node', `exec ${process.execPath} "$@"`);
    box.program('npm', '');
    box.file('package.json', '{"scripts": {"verify": "it"}}');
    for (const suite of ['engines', 'e2e']) {
      mkdirSync(box.path(`test/${suite}`), { recursive: true });
      box.file(`test/${suite}/it.test.ts`, '');
    }
    script('setup', '');
    script('image', '');
    script('test-engines', 'echo export BERTH_TEST_DOCKER=d; echo export BERTH_TEST_PODMAN=p');
    reports({ unit: [5, 0, 0], convergence: [3, 0, 0], engines: [2, 0, 0], e2e: [1, 0, 0] });
  });
  afterEach(() => {
    box.remove();
  });

  const script = (name: string, lines: string): void => {
    box.file(`scripts/${name}.sh`, `#!/usr/bin/bash\n${lines}\n`);
  };

  /** Called as `jest --selectProjects SUITE --json --outputFile FILE`. */
  function reports(results: Results): void {
    const cases = Object.entries(results).map(([suite, [passed, failed, unloadable]]) => {
      const counts = { numPassedTests: passed, numFailedTests: failed, numTotalTests: passed + failed };
      const report = { ...counts, numRuntimeErrorTestSuites: unloadable, success: failed + unloadable === 0 };
      return `${suite}) echo '${JSON.stringify(report)}' >"$6" ;;`;
    });
    box.program('npx', `case "$3" in ${cases.join('\n')} esac`);
  }

  const test = (env: Record<string, string> = {}): Promise<Outcome> =>
    box.run(['/usr/bin/bash', box.path('scripts/test.sh')], env);
  const lines = ({ stdout }: Outcome): string[] => stdout.trimEnd().split('\n');

  it('says what each suite ran and ends with the sum', async () => {
    const ran = await test();
    expect(ran.code).toBe(0);
    expect(lines(ran)).toEqual(
      expect.arrayContaining(['unit: 5 passed, 0 failed', 'engines: 2 passed, 0 failed', 'e2e: 1 passed, 0 failed']),
    );
    expect(lines(ran).at(-1)).toBe('11 passed, 0 failed');
    expect(lines(ran).filter((line) => /^\d+ passed/.test(line))).toHaveLength(1);
  });

  it.each<[string, Results, string]>([
    ['a test fails', { unit: [4, 1, 0] }, '10 passed, 1 failed'],
    ['a file can not be loaded', { unit: [4, 0, 1] }, '10 passed, 1 failed'],
    ['a suite has no tests', { unit: [0, 0, 0] }, '6 passed, 1 failed'],
    ['a suite never reports', {}, '6 passed, 1 failed'],
  ])('fails when %s', async (_, unit, sum) => {
    reports({ convergence: [3, 0, 0], engines: [2, 0, 0], e2e: [1, 0, 0], ...unit });
    const ran = await test();
    expect(ran.code).toBe(1);
    expect(lines(ran).at(-1)).toBe(sum);
  });

  it('counts a check that does not hold as a failure', async () => {
    box.program('npm', '[ "$3" != verify ]');
    const ran = await test();
    expect(ran.code).toBe(1);
    expect(lines(ran).at(-1)).toBe('11 passed, 1 failed');
  });

  const some = 'echo export BERTH_TEST_DOCKER=d';
  it.each([
    { what: 'no engine', engines: 'exit 1', image: '', missing: 'Docker Podman', passed: 8 },
    { what: 'one engine', engines: some, image: '', missing: 'Podman', passed: 11 },
    { what: 'no image', engines: some, image: 'exit 1', missing: 'Docker Podman', passed: 8 },
  ])('names what could not run with $what, and fails for that in CI alone', async (given) => {
    const { engines, image, missing, passed } = given;
    script('test-engines', engines);
    script('image', image);
    const person = await test();
    expect(person.code).toBe(0);
    expect(person.stdout).toContain(`could not run on ${missing}: engines e2e\n`);
    expect(lines(person).at(-1)).toBe(`${passed} passed, 0 failed`);
    const ci = await test({ CI: 'true' });
    expect(ci.code).toBe(1);
    expect(lines(ci).at(-1)).toBe(`${passed} passed, 2 failed`);
  });
});
