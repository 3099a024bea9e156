import tseslint from 'typescript-eslint';

const budgets = {
  'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
  'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
  'max-params': 'off',
  '@typescript-eslint/max-params': ['error', { max: 4 }],
  complexity: ['error', 10],
};

const timeMessage = 'Take a Clock (controller/clock.ts) as a parameter: tests turn it by hand.';
const timers = [
  { name: 'setTimeout', message: timeMessage },
  { name: 'setInterval', message: timeMessage },
];
const time = [{ object: 'Date', property: 'now', message: timeMessage }];
const processUse = [
  {
    object: 'process',
    property: 'env',
    message: 'Only the composition roots read the environment; take the value as a parameter.',
  },
  { object: 'process', property: 'exit', message: 'Only the composition roots end the process.' },
];
const noModuleMocks = [
  {
    selector: "CallExpression[callee.object.name='jest'][callee.property.name=/^(mock|doMock|retryTimes)$/]",
    message: 'Pass the thing in instead of mocking its module; a test that needs a retry is wrong.',
  },
];

const smallInterfaces = [
  {
    selector: 'TSInterfaceBody > TSMethodSignature:nth-child(13)',
    message: 'More than twelve methods: split the interface by noun, as runtimes/runtime.ts is.',
  },
];

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'coverage/**', 'crds/generated/**'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...budgets,
      'no-console': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      'no-restricted-globals': ['error', ...timers],
      'no-restricted-properties': ['error', ...time, ...processUse],
      'no-restricted-syntax': [
        'error',
        ...noModuleMocks,
        ...smallInterfaces,
        { selector: 'NewExpression[callee.name=Date][arguments.length=0]', message: timeMessage },
      ],
    },
  },
  { files: ['reconcilers/*/machine.ts'], rules: { 'max-lines': ['error', { max: 200 }] } },
  {
    files: ['controller/clock.ts'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': ['error', ...processUse] },
  },
  {
    files: ['controller/{main,bin}.ts', 'ctl/main.ts', 'scripts/**'],
    rules: { 'no-restricted-properties': ['error', ...time] },
  },
  {
    files: ['test/**'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...noModuleMocks],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['**/*.mjs', '**/*.cjs', '**/*.js'], ...tseslint.configs.disableTypeChecked },
);
