const base = {
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }] },
  roots: ['<rootDir>/test'],
};

/** Suites that need a real engine, by folder; everything else runs anywhere. */
const ENGINE_FOLDERS = ['engines', 'e2e'];
const engineTests = ENGINE_FOLDERS.map((folder) => `<rootDir>/test/${folder}/`);

module.exports = {
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [...engineTests, '<rootDir>/test/convergence/'],
    },
    { ...base, displayName: 'convergence', testMatch: ['<rootDir>/test/convergence/**/*.test.ts'] },
    ...ENGINE_FOLDERS.map((folder) => ({
      ...base,
      displayName: folder,
      testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
    })),
  ],
  testTimeout: 10_000,
};
