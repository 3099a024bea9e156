import fc from 'fast-check';
import { planMounts, type ProjectMount } from '../../../reconcilers/sandbox/mounts';

const project = (name: string, path: string, readOnly = false): ProjectMount => ({ name, path, readOnly });

const PLANS: readonly (readonly [string, readonly ProjectMount[], string, readonly string[]])[] = [
  ['one at its own path', [project('a', '/w/a')], 'SamePath', ['/w/a']],
  ['one elsewhere', [project('a', '/w/a')], '/workspace', ['/w/a at /workspace']],
  ['two side by side', [project('b', '/w/b'), project('a', '/w/a')], 'SamePath', ['/w/a', '/w/b']],
  ['the outer alone', [project('in', '/w/a/b'), project('a', '/w/a')], 'SamePath', ['/w/a']],
  [
    'the outermost of three',
    [project('c', '/w/a/b/c'), project('b', '/w/a/b'), project('a', '/w/a')],
    '/workspace',
    ['/w/a at /workspace'],
  ],
  [
    'a name that only begins alike',
    [project('a', '/w/app'), project('b', '/w/app2')],
    'SamePath',
    ['/w/app', '/w/app2'],
  ],
  [
    'writable in read-only',
    [project('a', '/w/a', true), project('b', '/w/a/b')],
    'SamePath',
    ['/w/a read-only', '/w/a/b'],
  ],
  [
    'read-only in read-only',
    [project('a', '/w/a', true), project('b', '/w/a/b', true)],
    'SamePath',
    ['/w/a read-only', '/w/a/b read-only'],
  ],
  ['none', [], 'SamePath', []],
];

const CONFLICTS: readonly (readonly [string, readonly ProjectMount[], string, readonly string[]])[] = [
  ['read-only in writable', [project('a', '/w/a'), project('b', '/w/a/b', true)], 'SamePath', ['a', 'b']],
  ['two at one place', [project('a', '/w/a'), project('b', '/w/b')], '/workspace', ['a', 'b', '/workspace']],
  ['the same path twice', [project('a', '/w/a'), project('b', '/w/a')], 'SamePath', ['a', 'b']],
  ['the same path, once read-only', [project('a', '/w/a'), project('b', '/w/a', true)], 'SamePath', ['a', 'b']],
  ['over its home', [project('a', '/home/berth')], 'SamePath', ['a', '/home/berth']],
  ['over its home from above', [project('a', '/home')], 'SamePath', ['a', '/home/berth']],
  ['over what makes it a system', [project('a', '/w/a')], '/etc/a', ['a', '/etc']],
];

describe('the mounts of projects', () => {
  it.each(PLANS)('show %s', (...row) => {
    const [, projects, mountPath, expected] = row;
    const plan = planMounts(projects, mountPath);
    if (plan.conflict !== undefined) throw new Error(plan.conflict);
    const shown = plan.mounts.map(({ source, target, readOnly }) => {
      return `${source}${source === target ? '' : ` at ${target}`}${readOnly ? ' read-only' : ''}`;
    });
    expect(shown).toEqual(expected);
  });

  it.each(CONFLICTS)('can not be had (%s), and say why', (...row) => {
    const [, projects, mountPath, words] = row;
    for (const order of [projects, projects.toReversed()]) {
      const { conflict } = planMounts(order, mountPath);
      for (const word of words) expect(conflict).toContain(word);
    }
  });

  it('have no source below another one that can be written', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 })
      .map((parts) => `/w/${parts.join('/')}`);
    const projects = fc.array(fc.tuple(path, fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(projects, (list) => {
        const plan = planMounts(
          list.map(([at, readOnly], index) => project(`p${index}`, at, readOnly)),
          'SamePath',
        );
        for (const outer of plan.conflict === undefined ? plan.mounts : [])
          for (const inner of plan.conflict === undefined ? plan.mounts : [])
            expect(!outer.readOnly && inner.source.startsWith(`${outer.source}/`)).toBe(false);
      }),
    );
  });
});
